"""The timeline of a scenario as a picture: pure functions from a history to a model, and from that to SVG.

``picture`` folds the records into lanes of spans and marks, all in seconds (``model``); ``axis`` gives each
time its place, and ``svg`` draws the lanes. ``log`` has the same history as text.
"""
