"""The gRPC service, its command line and its telemetry."""
