"""One training loop, and the tasks it trains: `correction` (pairs → a corrector), `pretraining` (text → an encoder).

- `task` says what the loop asks of a kind of training; a new kind is a new `Task`, not a new loop.
- `loop` runs a task from its recipe to an `Outcome`; `step` does one update; `optimisers`: AdamW, Muon, schedules.
- `settings` holds what every recipe has, `recipe_form` reads and writes recipes as TOML.
- `checkpoint` keeps the run's folder, `log` its reports, `memory` tries the largest batches, `processes` lets several
  processes and signals agree on every step.
"""
