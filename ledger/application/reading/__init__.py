"""What is looked at: past moments, seals, exports."""
