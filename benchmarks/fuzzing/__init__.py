"""Hostile inputs by the million: how they are made, what corrects them, and what must hold for each."""
