"""The weights of the networks, and `recipe.json`, which records how they were made."""
