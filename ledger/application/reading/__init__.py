"""Reading: past moments, comparisons, seals, exports."""
