"""Real and made-up positions, algorithms side by side."""
