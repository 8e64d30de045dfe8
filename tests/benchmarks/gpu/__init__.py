"""What is measured on a GPU, or tried on a CPU: each file has `add_arguments` and `run`."""
