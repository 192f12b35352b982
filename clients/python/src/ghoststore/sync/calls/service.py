# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/service.proto."""

from __future__ import annotations

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import Caller


class ServiceCalls(Caller):
    """The calls of ghoststore/v1/service.proto."""

    def hello(
        self,
        *,
        client_name: str = "",
        protocol_version: int = 0,
        options: Options | None = None,
    ) -> wire.HelloResponse:
        """Introduces the client and returns facts about the daemon. Optional; usually the first request of a
        connection.

        Args:
            client_name: The name of the client in logs and status, such as "myapp/1.2": at most 64 bytes.
            protocol_version: The highest protocol version that the client knows.

        Returns:
            HelloResponse, with the versions, the limits and the history of the open store.
        """
        request = wire.HelloRequest(
            client_name=client_name,
            protocol_version=protocol_version,
        )
        return self.call(calls.HELLO, request, options)

    def ping(
        self,
        *,
        options: Options | None = None,
    ) -> None:
        """Checks that the daemon answers."""
        request = wire.PingRequest()
        self.call(calls.PING, request, options)
