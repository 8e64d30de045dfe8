"""Models of other projects, read as they are and written as model directories.

What is missing, damaged or hostile, or has what ours has not, is refused with an
`ImportedModelError` that names it, by every function here.
"""
