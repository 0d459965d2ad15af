"""Playing whole games: state, actions, rounds and steps, and what all games share of them."""
