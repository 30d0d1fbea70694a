"""The measurements behind deciding constants: ``python -m tests.thresholds`` runs them again.

A constant of `vision` or `firmware` that decides something says where its value comes from: it was
measured, and the command is named; it follows from something else; or it is a choice, and why. The
measurements that name this command live here, one function for each constant. Each says what it
found and within which bounds that supports the value.
"""
