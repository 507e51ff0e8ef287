"""The field's three measures of a corrector: MaxMatch (M2), ERRANT and GLEU."""
