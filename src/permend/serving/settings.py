"""What a server may be told: where it listens, whom it answers, how much it takes on.

>>> Settings(port=8081).url
'http://127.0.0.1:8081'
>>> Settings(host="0.0.0.0").is_local
False
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass, field

from permend.errors import ArgumentError, check_count, check_number


@dataclass(frozen=True)
class Settings:
    """The settings of a server."""

    host: str = "127.0.0.1"
    port: int = 8081
    """0 takes one that is free."""
    mode: str = "balanced"
    """What holds where a request names no mode."""
    workers: int = 1
    """Processes that answer."""
    threads: int = 2
    """Batches that a process corrects at a time."""
    queue: int = 64
    """Requests that a process has in hand at a time; one more is answered with 503."""
    timeout: float = 60.0
    """Seconds for a request to arrive, and as many for its answer."""
    drain: float = 0.0
    """Seconds to go on after a signal, while ``/api/ready`` says no, so that a balancer can look elsewhere."""
    max_characters: int = 200_000
    """Of a text."""
    token: str = field(default="", repr=False)
    """What clients must know; empty: nothing."""
    origins: tuple[str, ...] = ()
    """Web pages of other servers that may ask, such as ``https://wiki.example.org``; ``*`` means all."""
    hosts: tuple[str, ...] = ()
    """Names by which clients may call the server, beside addresses and the names of this machine."""
    read_only: bool = False
    """Whether words can be added and findings dismissed."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        check_count("port", self.port, 65_535, least=0)
        for name in ("workers", "threads", "queue", "max_characters"):
            check_count(name, getattr(self, name))
        if not 0 < check_number("timeout", self.timeout) < 1e6:
            raise ArgumentError(f"timeout must be a number of seconds above 0, not {self.timeout}")
        if not 0 <= check_number("drain", self.drain) < 1e6:
            raise ArgumentError(f"drain must be a number of seconds from 0 on, not {self.drain}")
        if not self.host:
            raise ArgumentError("host must be an address or a name, such as 127.0.0.1; 0.0.0.0 means all addresses")
        for origin in self.origins:
            if origin != "*" and ("://" not in origin or origin.endswith("/")):
                raise ArgumentError(f"{origin!r} is no origin: write it as in https://wiki.example.org")

    @property
    def max_bytes(self) -> int:
        """What the body of a request may have: a character takes up to four bytes, in a form three signs each."""
        return 12 * self.max_characters + 65_536

    @property
    def url(self) -> str:
        """Where the page is."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def is_local(self) -> bool:
        """Whether only programs on this machine can ask."""
        return _is_loopback(self.host)

    def is_called(self, host: str) -> bool:
        """Whether a request's ``Host`` may mean this server.

        A page elsewhere can have its own name lead to this machine; it cannot make a browser send an address, or a name
        of ours.

        >>> [Settings().is_called(host) for host in ("localhost:8081", "[::1]", "127.0.0.1:80", "evil.example", "")]
        [True, True, True, False, False]
        """
        name = host.strip().lower()
        if name.count(":") == 1 or "]:" in name:
            name = name.rpartition(":")[0]
        name = name.removeprefix("[").removesuffix("]").removesuffix(".")
        if name in {"localhost", self.host.lower(), *(each.lower() for each in self.hosts)} or "*" in self.hosts:
            return True
        return _is_address(name) or (not self.is_local and name == socket.gethostname().lower())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return host.lower() == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)
