"""The weights of the two networks, and `recipe.json`, which says how they were made."""
