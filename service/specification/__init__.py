"""What the service's addresses take and answer, as a document of OpenAPI and as a page."""
