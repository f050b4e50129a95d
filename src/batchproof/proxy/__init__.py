"""The intercepting proxy between one implementation and the API server.

``view`` says what the implementation sees (pure), ``gates`` when it sees it, ``versions`` in which words
(pure), ``transport`` what becomes of each request. Bytes are moved by ``server`` (towards the
implementation), ``upstream`` (towards the API server, over the connections of ``pool``) and ``stream`` (the
lines of a watch).
Which requests go wrong is data (``batchproof.judgement.faults``). The proxy shows only what a smaller, slower
or failing cluster could show; it never drops, reorders or rewinds what a live stream carries.
"""
