"""Findings as reports: for compilers' readers, programs, editors, continuous integration, benchmarks, `patch`.

- `compiler`: a line a finding, as compilers print theirs
- `json_report`: JSON, an object a document or a finding
- `languagetool`: the answer of LanguageTool's HTTP API
- `m2`: M2, the format of the benchmarks
- `patch`: a unified diff, in colours for people
- `sarif`: SARIF, for code scanners and continuous integration
- `places`: line, column and surroundings of findings, which the reports share
- `rules`: error types with a short name and a line of help
"""
