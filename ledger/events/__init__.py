"""What is stored: the envelope, the kernel's records, their names, and how they reach Postgres."""
