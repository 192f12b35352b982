# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/keys.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..wire import Field, Kind, describe
from ._enums import OpenEnum


class KeySlotKind(OpenEnum):
    """The values of `KeySlotKind`."""

    UNSPECIFIED = 0
    PASSPHRASE = 1
    RECOVERY_CODE = 2
    KEY_FILE = 3
    CREDENTIAL = 4


class ConfiguredKey(OpenEnum):
    """The current state of the daemon's configured key, with which it opens the store at its start."""

    UNSPECIFIED = 0
    # No key is configured: after a start the store is locked until a caller unlocks it.
    ABSENT = 1
    # The key opens the slot that has `is_configured`.
    OPENS_SLOT = 2
    # The key opens no slot: after the next start of the daemon the state is WRONG_KEY.
    OPENS_NO_SLOT = 3
    # The key cannot be read: after the next start of the daemon the state is KEY_MISSING.
    UNUSABLE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A secret that opens a key slot. The daemon wipes the bytes as soon as it has read them."""

    # Passphrase: 1 to 1,024 bytes of UTF-8. Recovery code: its printed form. Key file or credential: 32 to 4,096
    # bytes.
    kind: KeySlotKind = KeySlotKind.UNSPECIFIED
    value: bytes | bytearray = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySlot:
    """`KeySlot` of the protocol."""

    # From 1 on, in the order of creation. A new slot gets the lowest free number.
    number: int = 0
    kind: KeySlotKind = KeySlotKind.UNSPECIFIED
    # At most 64 bytes, chosen by the person.
    label: str = ""
    created_at_microseconds: int = 0
    # Argon2id cost; 0 if the slot's secret is already a key.
    memory_bytes: int = 0
    passes: int = 0
    # True if the daemon opens the store with this slot at its start: its configured key file or credential opens the
    # slot.
    is_configured: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InitializeStoreRequest:
    """Creates a store and leaves it open. If there is one already, the answer is FAILED_PRECONDITION STORE_EXISTS.
    Answer: initialize_store.
    """

    secret: Secret | None = None
    label: str = ""
    # Also create a recovery code. The answer has it, once.
    with_recovery_code: bool = False
    # Low-cost Argon2id, for tests. Refused unless the daemon's configuration allows it.
    low_cost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InitializeStoreResponse:
    """`InitializeStoreResponse` of the protocol."""

    recovery_code: bytes | bytearray = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockRequest:
    """Opens the store. Answer: unlock; PERMISSION_DENIED WRONG_KEY; RESOURCE_EXHAUSTED UNLOCK_THROTTLED with
    retry_after_milliseconds.
    """

    secret: Secret | None = None
    # Opens a store with JOURNAL_DAMAGED or STORE_ROLLED_BACK without the missing changes: these acknowledged changes
    # are lost, and the store begins a new history. Has no effect on any other store.
    accept_loss: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockResponse:
    """`UnlockResponse` of the protocol."""

    slot: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LockRequest:
    """Closes the store and wipes its keys. Checks, backups, restores and rotations in progress end without a
    result (STORE_LOCKED). Before the daemon closes the store, it commits waiting writes for at most one second.
    Answer: lock.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class LockResponse:
    """`LockResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListKeySlotsRequest:
    """Lists the key slots. Answer: key_slots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListKeySlotsResponse:
    """`ListKeySlotsResponse` of the protocol."""

    slots: tuple[KeySlot, ...] = ()
    # The daemon reads its key again for each answer.
    configured_key: ConfiguredKey = ConfiguredKey.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True)
class AddKeySlotRequest:
    """Adds a key slot. Needs an open store and one valid secret. Answer: add_key_slot."""

    # A secret that opens a slot now.
    secret: Secret | None = None
    # The secret that will open the new slot. For KEY_SLOT_KIND_RECOVERY_CODE the value is empty: the daemon creates
    # the code.
    new_secret: Secret | None = None
    label: str = ""
    low_cost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AddKeySlotResponse:
    """`AddKeySlotResponse` of the protocol."""

    slot: int = 0
    recovery_code: bytes | bytearray = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveKeySlotRequest:
    """Removes a key slot. The last slot that a person can use is FAILED_PRECONDITION LAST_KEY_SLOT. The slot that
    the daemon's own key opens is KEY_SLOT_CONFIGURED, unless `even_if_configured` is set. Answer:
    remove_key_slot.
    """

    # A secret that opens a slot now.
    secret: Secret | None = None
    slot: int = 0
    # Also removes the slot with which the daemon opens the store at its start. After the next start, the state is
    # then WRONG_KEY, and the store stays closed until a caller unlocks it.
    even_if_configured: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveKeySlotResponse:
    """`RemoveKeySlotResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePassphraseRequest:
    """Changes the passphrase of the slot that the old passphrase opens. Answer: change_passphrase."""

    secret: Secret | None = None
    new_secret: Secret | None = None
    low_cost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePassphraseResponse:
    """`ChangePassphraseResponse` of the protocol."""

    slot: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RotateMasterKeyRequest:
    """Creates a new master key for the same slots, and rewrites the database under it while the store is in use.
    Blob exports in progress end. Answers: progress, then rotate_master_key. If a reader keeps the write-ahead
    log of the database in use, the answer is UNAVAILABLE STORE_BUSY, and nothing was changed.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class RotateMasterKeyResponse:
    """`RotateMasterKeyResponse` of the protocol."""

    # The number of rotations of this keyring.
    generation: int = 0


describe(
    Secret,
    Field(1, "kind", Kind.ENUM, KeySlotKind),
    Field(2, "value", Kind.SECRET),
)
describe(
    KeySlot,
    Field(1, "number", Kind.UINT32),
    Field(2, "kind", Kind.ENUM, KeySlotKind),
    Field(3, "label", Kind.STRING),
    Field(4, "created_at_microseconds", Kind.INT64),
    Field(5, "memory_bytes", Kind.UINT64),
    Field(6, "passes", Kind.UINT32),
    Field(7, "is_configured", Kind.BOOL),
)
describe(
    InitializeStoreRequest,
    Field(1, "secret", Kind.MESSAGE, Secret, has_presence=True),
    Field(2, "label", Kind.STRING),
    Field(3, "with_recovery_code", Kind.BOOL),
    Field(4, "low_cost", Kind.BOOL),
)
describe(
    InitializeStoreResponse,
    Field(1, "recovery_code", Kind.SECRET),
)
describe(
    UnlockRequest,
    Field(1, "secret", Kind.MESSAGE, Secret, has_presence=True),
    Field(2, "accept_loss", Kind.BOOL),
)
describe(
    UnlockResponse,
    Field(1, "slot", Kind.UINT32),
)
describe(LockRequest)
describe(LockResponse)
describe(ListKeySlotsRequest)
describe(
    ListKeySlotsResponse,
    Field(1, "slots", Kind.MESSAGE, KeySlot, is_repeated=True),
    Field(2, "configured_key", Kind.ENUM, ConfiguredKey),
)
describe(
    AddKeySlotRequest,
    Field(1, "secret", Kind.MESSAGE, Secret, has_presence=True),
    Field(2, "new_secret", Kind.MESSAGE, Secret, has_presence=True),
    Field(3, "label", Kind.STRING),
    Field(4, "low_cost", Kind.BOOL),
)
describe(
    AddKeySlotResponse,
    Field(1, "slot", Kind.UINT32),
    Field(2, "recovery_code", Kind.SECRET),
)
describe(
    RemoveKeySlotRequest,
    Field(1, "secret", Kind.MESSAGE, Secret, has_presence=True),
    Field(2, "slot", Kind.UINT32),
    Field(3, "even_if_configured", Kind.BOOL),
)
describe(RemoveKeySlotResponse)
describe(
    ChangePassphraseRequest,
    Field(1, "secret", Kind.MESSAGE, Secret, has_presence=True),
    Field(2, "new_secret", Kind.MESSAGE, Secret, has_presence=True),
    Field(3, "low_cost", Kind.BOOL),
)
describe(
    ChangePassphraseResponse,
    Field(1, "slot", Kind.UINT32),
)
describe(RotateMasterKeyRequest)
describe(
    RotateMasterKeyResponse,
    Field(1, "generation", Kind.UINT64),
)
