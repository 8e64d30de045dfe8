"""The final report of a run: `write_report(folder)`, and `report RUN` as a command."""

from training.report.document import ReportError, add_command, write_report

__all__ = ["ReportError", "add_command", "write_report"]
