"""Findings as reports: for compilers' readers, programs, editors, continuous integration, benchmarks, `patch`."""
