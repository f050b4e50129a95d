"""What pytest-xdist starts in place of a worker: it asks for a fork, hands it its own pipes, and waits.

Usage: python -I -S ask.py SOCKET ...; what follows is what pytest-xdist passes to a Python that it starts. It
ends when the worker does, and the server ends the worker when this process is killed.
"""

import contextlib
import os
import signal
import socket
import sys

_STREAMS = (0, 1, 2)


def main() -> None:
    """Be there in place of a worker, for as long as that lives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the worker, which is in the same group
    folder, name = os.path.split(sys.argv[1])
    os.chdir(folder)  # the path as a whole may be longer than the address of a socket
    with socket.socket(socket.AF_UNIX) as server, contextlib.suppress(ConnectionError):
        server.connect(name)
        socket.send_fds(server, [b"\n"], _STREAMS)
        for stream in _STREAMS:
            os.close(stream)  # else what reads of the worker would not see its end
        server.recv(1)


if __name__ == "__main__":
    main()
