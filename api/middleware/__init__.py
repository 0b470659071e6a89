"""The middleware that every request passes through."""
