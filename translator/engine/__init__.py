"""Who is decoded next, and the threads that do it. No text and no HTTP."""
