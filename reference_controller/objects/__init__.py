"""What all controllers share of the API's objects, as values and pure functions.

`api_json` reads and writes them; it and the modules of that name in other packages are the only ones with
camelCase.
"""
