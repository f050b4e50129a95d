"""All input and output: API client, informers, work queue, expectations, clock, effects, events."""
