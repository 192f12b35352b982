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
        """Creates a store and leaves it open.

        Args:
            secret: A secret that will open the first key slot.
            label: The label of the first key slot: at most 64 bytes, chosen by the person.
            with_recovery_code: Also creates a recovery code. Only this one answer contains the code.
            low_cost: Low-cost Argon2id, for tests. The daemon refuses it unless its configuration allows it.

        Returns:
            InitializeStoreResponse, with the recovery code if one was requested.

        Raises:
            FailedPrecondition: STORE_EXISTS. There is a store already.
            FailedPrecondition: LOW_COST_REFUSED. The daemon's configuration does not allow the low-cost key
                derivation that the request asked for.
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
        """Opens the store with a secret of one of its key slots.

        Args:
            secret: A secret that opens a slot.
            accept_loss: Opens a store that has JOURNAL_DAMAGED or STORE_ROLLED_BACK, without the missing
                changes. These acknowledged changes are then lost, and the store begins a new history. Has no
                effect on any other store.

        Returns:
            UnlockResponse, with the number of the slot that the secret opened.

        Raises:
            PermissionDenied: WRONG_KEY. The secret opens no slot of the keyring.
            ResourceExhausted: UNLOCK_THROTTLED after three wrong passphrases, with retry_after_milliseconds in
                its details.
            FailedPrecondition: STORE_ABSENT. There is no store yet.
            FailedPrecondition: STORE_ALREADY_OPEN. The store is open already.
            DataLoss: KEYRING_DAMAGED. The keyring file is damaged.
            DataLoss: DATABASE_DAMAGED. The database, or the requested part of it, is damaged.
            DataLoss: JOURNAL_DAMAGED. The journal is damaged or incomplete, so acknowledged changes are
                missing.
            DataLoss: STORE_ROLLED_BACK. The database lacks acknowledged changes, or belongs to another journal.
            FailedPrecondition: NEWER_SCHEMA. A newer daemon wrote the store.
            InternalError: STORAGE_FAILED. The operating system refused a file operation.
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
        """Closes the store and wipes its keys. Checks, backups, restores and rotations in progress end with
        STORE_LOCKED. Before the daemon closes the store, it commits writes that wait, for at most one second.
        Locking a store that is not open changes nothing.
        """
        request = wire.LockRequest()
        self.call(calls.LOCK, request, options)

    def list_key_slots(
        self,
        *,
        options: Options | None = None,
    ) -> wire.ListKeySlotsResponse:
        """Lists the key slots of a store, open or not.

        Returns:
            ListKeySlotsResponse, with all slots by their numbers.

        Raises:
            FailedPrecondition: STORE_ABSENT. There is no store yet.
            DataLoss: KEYRING_DAMAGED. The keyring file is damaged.
        """
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
        """Adds a key slot, so that another secret also opens the store. Needs an open store and a secret that
        already opens it.

        Args:
            secret: A secret that opens a slot now.
            new_secret: The secret that will open the new slot. For KEY_SLOT_KIND_RECOVERY_CODE the value is
                empty: the daemon creates the code.
            label: The label of the slot: at most 64 bytes, chosen by a person.
            low_cost: Low-cost Argon2id, for tests. The daemon refuses it unless its configuration allows it.

        Returns:
            AddKeySlotResponse, with the number of the slot, and the recovery code if the slot is for a recovery
                code.

        Raises:
            PermissionDenied: WRONG_KEY if `secret` opens no slot.
            ResourceExhausted: UNLOCK_THROTTLED after three wrong passphrases.
            AlreadyExists: ALREADY_EXISTS if the new secret already opens a slot.
            ResourceExhausted: KEY_SLOTS_FULL. Every key slot is in use.
            FailedPrecondition: LOW_COST_REFUSED. The daemon's configuration does not allow the low-cost key
                derivation that the request asked for.
        """
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
        """Removes a key slot. The secret of the slot then does not open the store any more.

        Args:
            secret: A secret that opens a slot now.
            slot: The number of the slot to remove.
            even_if_configured: Removes the slot even if the configured key opens it. When the daemon then
                starts again, the state is WRONG_KEY, and the store stays closed until a caller unlocks it.

        Raises:
            PermissionDenied: WRONG_KEY if `secret` opens no slot.
            ResourceExhausted: UNLOCK_THROTTLED after three wrong passphrases.
            NotFound: KEY_SLOT_NOT_FOUND. The key slot does not exist.
            FailedPrecondition: LAST_KEY_SLOT. This slot cannot be removed, because no other slot has a
                passphrase or a recovery code.
            FailedPrecondition: KEY_SLOT_CONFIGURED if the configured key opens the slot and
                `even_if_configured` is not set.
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
        """Changes the passphrase of the slot that the old passphrase opens.

        Args:
            secret: The old passphrase.
            new_secret: The new passphrase.
            low_cost: Low-cost Argon2id, for tests. The daemon refuses it unless its configuration allows it.

        Returns:
            ChangePassphraseResponse, with the number of the slot.

        Raises:
            PermissionDenied: WRONG_KEY if the old passphrase opens no slot.
            ResourceExhausted: UNLOCK_THROTTLED after three wrong passphrases.
            AlreadyExists: ALREADY_EXISTS if the new passphrase opens another slot.
            FailedPrecondition: LOW_COST_REFUSED. The daemon's configuration does not allow the low-cost key
                derivation that the request asked for.
        """
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
        """Creates a new master key for the same slots, and rewrites the database under the new key while the store
        is in use. Exports of message files and archives in progress end.

        Args:
            on_progress: Is called with the progress of the work.

        Returns:
            RotateMasterKeyResponse, with the number of rotations so far.

        Raises:
            Unavailable: STORE_BUSY if a reader prevented the daemon from emptying the write-ahead log (the call
                has then changed nothing).
            ResourceExhausted: DISK_FULL if there is no space for a second database.
        """
        request = wire.RotateMasterKeyRequest()
        return self.call(calls.ROTATE_MASTER_KEY, request, options, on_progress)
