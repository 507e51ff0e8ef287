"""The paper's comparison in one run: every system trained, asked and timed on the same data, encoder and machine.

What needs a GPU comes first and leaves small files; what needs ERRANT comes after, on any machine:

    settings ─ trainings ─ answers ─┬─ scores ─ tables ─ report
                        └─ timing ──┘          published

- `settings`: which data, encoder and amounts, from a TOML file; `tiny` makes them up
- `trainings`: what is trained, in which order, and how a run that was stopped goes on
- `together`, `spent`: trainings side by side begin a stage together; the minutes in which anything ran
- `contestants`: the rows of the tables: a training, and how it decodes
- `answers`, `timing`: what the contestants make of the test sets, and how long one sentence takes each
- `scores`: precision, recall and F0.5 of answers; what the ablation chooses among hypotheses
- `published`, `tables`, `report`: the paper's numbers, ours beside them, as Markdown, JSON and pictures

`python -m experiments --help` has the commands.
"""
