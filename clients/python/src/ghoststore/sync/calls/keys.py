# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/keys.proto."""

from __future__ import annotations

from collections.abc import Callable

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import Caller


class KeysCalls(Caller):
    """The calls of ghoststore/v1/keys.proto."""

    def initialize_store(
        self,
        secret: wire.Secret,
        *,
        label: str = "",
        with_recovery_code: bool = False,
        low_cost: bool = False,
        options: Options | None = None,
    ) -> wire.InitializeStoreResponse:
        """Creates a store and leaves it open. If there is one already, the answer is FAILED_PRECONDITION
        STORE_EXISTS. Answer: initialize_store.
        """
        request = wire.InitializeStoreRequest(
            secret=secret,
            label=label,
            with_recovery_code=with_recovery_code,
            low_cost=low_cost,
        )
        return self.call(calls.INITIALIZE_STORE, request, options)

    def unlock(
        self,
        secret: wire.Secret,
        *,
        accept_loss: bool = False,
        options: Options | None = None,
    ) -> wire.UnlockResponse:
        """Opens the store. Answer: unlock; PERMISSION_DENIED WRONG_KEY; RESOURCE_EXHAUSTED UNLOCK_THROTTLED with
        retry_after_milliseconds.
        """
        request = wire.UnlockRequest(
            secret=secret,
            accept_loss=accept_loss,
        )
        return self.call(calls.UNLOCK, request, options)

    def lock(
        self,
        *,
        options: Options | None = None,
    ) -> None:
        """Closes the store and wipes its keys. Checks, backups, restores and rotations in progress end without a
        result (STORE_LOCKED). Before the daemon closes the store, it commits waiting writes for at most one
        second. Answer: lock.
        """
        request = wire.LockRequest()
        self.call(calls.LOCK, request, options)

    def list_key_slots(
        self,
        *,
        options: Options | None = None,
    ) -> wire.ListKeySlotsResponse:
        """Lists the key slots. Answer: key_slots."""
        request = wire.ListKeySlotsRequest()
        return self.call(calls.LIST_KEY_SLOTS, request, options)

    def add_key_slot(
        self,
        secret: wire.Secret,
        new_secret: wire.Secret,
        *,
        label: str = "",
        low_cost: bool = False,
        options: Options | None = None,
    ) -> wire.AddKeySlotResponse:
        """Adds a key slot. Needs an open store and one valid secret. Answer: add_key_slot."""
        request = wire.AddKeySlotRequest(
            secret=secret,
            new_secret=new_secret,
            label=label,
            low_cost=low_cost,
        )
        return self.call(calls.ADD_KEY_SLOT, request, options)

    def remove_key_slot(
        self,
        secret: wire.Secret,
        slot: int,
        *,
        even_if_configured: bool = False,
        options: Options | None = None,
    ) -> None:
        """Removes a key slot. The last slot that a person can use is FAILED_PRECONDITION LAST_KEY_SLOT. The slot
        that the daemon's own key opens is KEY_SLOT_CONFIGURED, unless `even_if_configured` is set. Answer:
        remove_key_slot.
        """
        request = wire.RemoveKeySlotRequest(
            secret=secret,
            slot=slot,
            even_if_configured=even_if_configured,
        )
        self.call(calls.REMOVE_KEY_SLOT, request, options)

    def change_passphrase(
        self,
        secret: wire.Secret,
        new_secret: wire.Secret,
        *,
        low_cost: bool = False,
        options: Options | None = None,
    ) -> wire.ChangePassphraseResponse:
        """Changes the passphrase of the slot that the old passphrase opens. Answer: change_passphrase."""
        request = wire.ChangePassphraseRequest(
            secret=secret,
            new_secret=new_secret,
            low_cost=low_cost,
        )
        return self.call(calls.CHANGE_PASSPHRASE, request, options)

    def rotate_master_key(
        self,
        *,
        on_progress: Callable[[wire.Progress], None] | None = None,
        options: Options | None = None,
    ) -> wire.RotateMasterKeyResponse:
        """Creates a new master key for the same slots, and rewrites the database under it while the store is in
        use. Blob exports in progress end. Answers: progress, then rotate_master_key. If a reader keeps the
        write-ahead log of the database in use, the answer is UNAVAILABLE STORE_BUSY, and nothing was changed.
        """
        request = wire.RotateMasterKeyRequest()
        return self.call(calls.ROTATE_MASTER_KEY, request, options, on_progress)
