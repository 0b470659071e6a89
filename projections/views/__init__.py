"""Views: tables built from the events, always up to a whole save, which can be rebuilt from zero at any time."""
