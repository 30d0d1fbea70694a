"""Rerun the measurements behind thresholds and other constants: ``python -m tests.thresholds``.

A constant of `vision` or `firmware` that decides something says where its value comes from: it was
measured, and the command is named; it follows from something else; or it is a choice, with its
reason. The measurements whose citation names this command live here, one function per constant.
Each states what it found and the bounds within which that supports the value.
"""
