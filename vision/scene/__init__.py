"""Generated pictures of cards on a table, for training the reader and for the simulated table."""
