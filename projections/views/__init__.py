"""Views: tables kept from the events, always at whole saves, rebuilt from zero whenever that is wanted."""
