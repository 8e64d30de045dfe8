"""What goes over the wire: requests that are checked, answers that are typed."""
