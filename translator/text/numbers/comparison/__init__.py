"""Whether the numbers of a sentence and of its translation agree: values, units, signs, order."""
