"""Text as the rest of permend sees it: tokens with character offsets, and edits."""
