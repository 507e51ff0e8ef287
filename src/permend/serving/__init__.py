"""permend over HTTP: LanguageTool's API, one of our own, and a page. It needs the extra "serve".

- `settings`: where a server listens, whom it answers, how much it takes on
- `batching`: sentences of many clients, corrected in batches
- `engine`: texts in, findings out, for many clients at a time
- `metrics`: what is counted
- `leaving`: clients that go away
- `messages`: bodies of our own API
- `native`, `languagetool`: the routes of the two APIs
- `pages`: the page and the description, whose files lie in ``page/``
- `answers`: errors as answers
- `connections`: connections on which nothing happens, and too many of them
- `sharing`: connections that wait, shared out between processes
- `guard`: who may ask, and how much
- `app`: all of it together
- `run`: a port, processes, an orderly end
"""
