"""All input and output. What any controller uses is here; each controller has a folder of its own."""
