"""A way to a server that can be cut, as an SSH tunnel's is."""

import socket
import threading


class Tunnel:
    """Carries connections on a port of its own to another."""

    def __init__(self, port):
        self.target = port
        self.guard = threading.Lock()
        self.pairs = []
        self.listener = None
        self.port = 0
        self.open()

    def open(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def cut(self):
        """Ends all connections, and takes no more until `open`."""
        with self.guard:
            listener, self.listener = self.listener, None
            ends, self.pairs = self.pairs, []
        if listener:
            # Wakes whoever accepts, which closing alone does not.
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            with self.guard:
                # What was accepted while it was cut is cut, too.
                if self.listener is not listener:
                    near.close()
                    far.close()
                    return
                self.pairs += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    @staticmethod
    def carry(one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass
