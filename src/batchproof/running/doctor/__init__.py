"""What this machine lacks for a run, and how to get it: ``look`` sees, ``decisions`` says what that means."""
