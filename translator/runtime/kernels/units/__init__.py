"""What kinds of CPUs there are for the kernels: a description of each, a file for each family."""
