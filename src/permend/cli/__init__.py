"""The command line: thin shells over the library. The library never prints; these modules do.

main            the group: which command is in which file, loaded when it is called
process         signals and standard streams, before anything else is loaded
ending          exit codes, and errors as sentences
terminal        arguments, consoles and bars that are safe to look at
loading         options that several commands have; the corrector, checker or report that they ask for
correct, lines  `permend correct` for documents and for single lines
check, batch, dictionary, explain, info, doctor         a command each
serve, lsp                                              a command each
align, evaluate, tune, export, train, pretrain          a command each
synth, synth_mine, synth_report, synth_sample           `permend synth`
"""
