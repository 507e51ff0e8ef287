"""The method without its networks: plans, labels from pairs, plans from scores, text from plans.

- `plan`: the order of source tokens and slots that makes the corrected sentence
- `align`: a pair in, its plan and fills out: Algorithm 1, and FELIX's way
- `label`: a pair of texts labelled, and what labelling does to a corpus
- `search`: pointer scores in, ranked plans out
- `template`: between plans and text: the decoder's input, wanted output, and what is written
"""
