"""Best runs where trains exclude each other from track (1822 and 18GB are such games)."""
