"""The profile ``tfjob``: what a training operator owes to TFJobs."""
