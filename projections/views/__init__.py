"""Views: tables built from the events. They always contain whole saves, and can be rebuilt at any time."""
