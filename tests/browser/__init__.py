"""The pages in a real Chromium: a small driver, tests, and pictures for the documentation."""
