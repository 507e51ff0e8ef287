"""What kind of error an edit mends, and one plain sentence about it."""
