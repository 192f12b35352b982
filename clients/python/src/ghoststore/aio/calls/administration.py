# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/administration.proto."""

from __future__ import annotations

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import AsyncCaller


class AsyncAdministrationCalls(AsyncCaller):
    """The calls of ghoststore/v1/administration.proto."""

    async def get_status(
        self,
        *,
        with_clients: bool = False,
        options: Options | None = None,
    ) -> wire.Status:
        """Returns the state of the daemon and of the store. Works in every state of the store.

        Args:
            with_clients: Also lists the open connections, in `clients`.

        Returns:
            Status, with the fields that the caller has a right to.
        """
        request = wire.GetStatusRequest(
            with_clients=with_clients,
        )
        return await self.call(calls.GET_STATUS, request, options)

    async def get_metrics(
        self,
        *,
        format: wire.MetricsFormat = wire.MetricsFormat.UNSPECIFIED,
        options: Options | None = None,
    ) -> wire.GetMetricsResponse:
        """Returns the daemon's metrics. The names of all metrics begin with ghoststore_.

        Args:
            format: The text format.

        Returns:
            GetMetricsResponse, a text in the requested format.
        """
        request = wire.GetMetricsRequest(
            format=format,
        )
        return await self.call(calls.GET_METRICS, request, options)
