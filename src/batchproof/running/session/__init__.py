"""What a pytest session does in a run of batchproof: collect, judge, stream."""
