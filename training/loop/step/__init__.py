"""One optimizer step, all of it on the device: nothing here waits for an answer."""
