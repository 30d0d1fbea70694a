"""Scripts that set the program up; they need only Python, and say what they install."""
