"""What the core costs, measured beside what a user would pick instead. See `core.py`."""
