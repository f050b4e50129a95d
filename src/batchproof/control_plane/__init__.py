"""Control planes: real etcd and kube-apiserver, never a fake one.

``plane``      a control plane that runs, as data; the protocol that every provider follows
``embedded``   the default provider: plain processes that end with the run
``assets``     where the binaries come from: given by the user, from the cache, or built
``build``      Go programs built once from pinned modules, into the cache
``toolchain``  the Go that builds them
``cache``      the user's cache folder: its layout, its locks, what to say when its disk is full
``errands``    a program that is run to its end, with progress and a reason if it fails
``progress``   how far something long is

Binaries are found or built before a run starts anything; a provider gets them as paths.
"""
