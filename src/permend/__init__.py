"""Grammar correction in one network pass: GEC-DePenD (Yakovlev et al. 2023) as a library."""

from permend.corrector import Correction, Corrector, Options
from permend.errors import InputError, PermendError
from permend.permutation.label import Labeler
from permend.permutation.plan import Plan
from permend.permutation.search import Hypothesis, search
from permend.text.edits import Edit, apply, diff
from permend.text.tokens import SubwordTokenizer, WordTokenizer

__all__ = [
    "Correction",
    "Corrector",
    "Edit",
    "Hypothesis",
    "InputError",
    "Labeler",
    "Options",
    "PermendError",
    "Plan",
    "SubwordTokenizer",
    "WordTokenizer",
    "apply",
    "diff",
    "search",
]
__version__ = "0.1.0.dev0"
