"""Writing what is missing: tokens for the masks of a template."""
