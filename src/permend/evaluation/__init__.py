"""How good corrections are: the field's three measures, development sets, and modes chosen on them.

- `score`: right, wrong and missed edits; precision, recall, F; what every threshold would give
- `errant`: ERRANT's score of M2 annotations, overall and by type
- `maxmatch`, `lattice`: the M2 scorer, and the graph of all edits that it searches
- `gleu`: GLEU as JFLEG defines it
- `correcting`: texts corrected with one setting or many
- `devset`: sentences known to be right or wrong, and their judge
- `calibrate`: probabilities of edits that mean something
- `leaving`: from which doubt on sentences may leave early
- `tuning`: a model's modes and calibration, from a development set
- `figures`: pictures of both
"""
