"""What must hold when things die at the worst moment. Every check is tried on a planted fault too, and must find it."""
