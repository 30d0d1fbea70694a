"""What the games allow: cards, acts, states and matches. No clock, no I/O, no randomness."""
