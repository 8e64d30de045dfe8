"""Tables and texts of any size, translated partition by partition, on one machine or a cluster."""
