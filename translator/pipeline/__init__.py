"""From a text down to the model and up again: `Translator`, its steps and checks, many models."""
