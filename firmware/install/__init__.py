"""Scripts that set the program up; they need nothing but Python, and say what they install."""
