"""What those who run the service can see of it: metrics, logs, readiness."""
