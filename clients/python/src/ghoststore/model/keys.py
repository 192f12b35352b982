# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/keys.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..wire import Field, Kind, Model, describe
from ._enums import OpenEnum


class KeySlotKind(OpenEnum):
    """The kind of secret that opens a key slot.

    Attributes:
        PASSPHRASE: A text that a person chose and types.
        RECOVERY_CODE: A text that the daemon created for a person to write down.
        KEY_FILE: The bytes of a file.
        CREDENTIAL: A file that systemd gives to the daemon: systemd.exec(5), LoadCredential.
    """

    UNSPECIFIED = 0
    PASSPHRASE = 1
    RECOVERY_CODE = 2
    KEY_FILE = 3
    CREDENTIAL = 4


class ConfiguredKey(OpenEnum):
    """The current state of the configured key: the key file or credential with which the daemon opens the store
    when the daemon starts.

    Attributes:
        ABSENT: No key is configured: after the daemon starts, the store is locked until a caller unlocks it.
        OPENS_SLOT: The key opens the slot that has `is_configured`.
        OPENS_NO_SLOT: The key opens no slot: when the daemon starts again, the state of the store will be
            WRONG_KEY.
        UNUSABLE: The daemon cannot read the key: when the daemon starts again, the state of the store will be
            KEY_MISSING.
    """

    UNSPECIFIED = 0
    ABSENT = 1
    OPENS_SLOT = 2
    OPENS_NO_SLOT = 3
    UNUSABLE = 4


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Secret(Model):
    """A secret that opens a key slot. The daemon overwrites the received bytes of the secret before it parses the
    message.

    Attributes:
        kind (KeySlotKind): The kind of the secret. It decides the form of `value`. Passphrase: 1 to 1,024 bytes
            of UTF-8. Recovery code: its printed form. Key file or credential: 32 to 4,096 bytes.
        value (bytes | bytearray)
    """

    kind: KeySlotKind = KeySlotKind.UNSPECIFIED
    value: bytes | bytearray = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class KeySlot(Model):
    """A key slot: an entry of the keyring for one secret that opens the store, independently of the other slots.

    Attributes:
        number (int): The number of the slot: from 1 on. A new slot gets the lowest free number.
        kind (KeySlotKind): The kind of secret that opens the slot.
        label (str): The label of the slot: at most 64 bytes, chosen by a person.
        created_at_microseconds (int): When the slot was added, by the daemon's clock.
        memory_bytes (int): Argon2id memory in bytes for the slot of a passphrase; 0 for a slot of another kind.
        passes (int): Argon2id passes for the slot of a passphrase; 0 for a slot of another kind.
        is_configured (bool): True if the configured key file or credential opens this slot, so that the daemon
            opens the store with it when the daemon starts.
    """

    number: int = 0
    kind: KeySlotKind = KeySlotKind.UNSPECIFIED
    label: str = ""
    created_at_microseconds: int = 0
    memory_bytes: int = 0
    passes: int = 0
    is_configured: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class InitializeStoreRequest(Model):
    """The request of `initialize_store`.

    Attributes:
        secret (Secret | None): A secret that will open the first key slot.
        label (str): The label of the first key slot: at most 64 bytes, chosen by the person.
        with_recovery_code (bool): Also creates a recovery code. Only this one answer contains the code.
        low_cost (bool): Low-cost Argon2id, for tests. The daemon refuses it unless its configuration allows it.
    """

    secret: Secret | None = None
    label: str = ""
    with_recovery_code: bool = False
    low_cost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class InitializeStoreResponse(Model):
    """`InitializeStoreResponse` of the protocol.

    Attributes:
        recovery_code (bytes | bytearray): The recovery code, if one was requested. No other answer contains it.
    """

    recovery_code: bytes | bytearray = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UnlockRequest(Model):
    """The request of `unlock`.

    Attributes:
        secret (Secret | None): A secret that opens a slot.
        accept_loss (bool): Opens a store that has JOURNAL_DAMAGED or STORE_ROLLED_BACK, without the missing
            changes. These acknowledged changes are then lost, and the store begins a new history. Has no effect
            on any other store.
    """

    secret: Secret | None = None
    accept_loss: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UnlockResponse(Model):
    """`UnlockResponse` of the protocol.

    Attributes:
        slot (int): The number of the slot that the secret opens.
    """

    slot: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LockRequest(Model):
    """The request of `lock`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LockResponse(Model):
    """`LockResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListKeySlotsRequest(Model):
    """The request of `list_key_slots`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListKeySlotsResponse(Model):
    """`ListKeySlotsResponse` of the protocol.

    Attributes:
        slots (tuple[KeySlot, ...]): The slots by their numbers.
        configured_key (ConfiguredKey): The state of the daemon's configured key. The daemon reads the key again
            for each answer.
    """

    slots: tuple[KeySlot, ...] = ()
    configured_key: ConfiguredKey = ConfiguredKey.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AddKeySlotRequest(Model):
    """The request of `add_key_slot`.

    Attributes:
        secret (Secret | None): A secret that opens a slot now.
        new_secret (Secret | None): The secret that will open the new slot. For KEY_SLOT_KIND_RECOVERY_CODE the
            value is empty: the daemon creates the code.
        label (str): The label of the slot: at most 64 bytes, chosen by a person.
        low_cost (bool): Low-cost Argon2id, for tests. The daemon refuses it unless its configuration allows it.
    """

    secret: Secret | None = None
    new_secret: Secret | None = None
    label: str = ""
    low_cost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AddKeySlotResponse(Model):
    """`AddKeySlotResponse` of the protocol.

    Attributes:
        slot (int): The number of the new slot.
        recovery_code (bytes | bytearray): The recovery code, if the slot is for one; otherwise empty. No other
            answer contains it.
    """

    slot: int = 0
    recovery_code: bytes | bytearray = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RemoveKeySlotRequest(Model):
    """The request of `remove_key_slot`.

    Attributes:
        secret (Secret | None): A secret that opens a slot now.
        slot (int): The number of the slot to remove.
        even_if_configured (bool): Removes the slot even if the configured key opens it. When the daemon then
            starts again, the state is WRONG_KEY, and the store stays closed until a caller unlocks it.
    """

    secret: Secret | None = None
    slot: int = 0
    even_if_configured: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RemoveKeySlotResponse(Model):
    """`RemoveKeySlotResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ChangePassphraseRequest(Model):
    """The request of `change_passphrase`.

    Attributes:
        secret (Secret | None): The old passphrase.
        new_secret (Secret | None): The new passphrase.
        low_cost (bool): Low-cost Argon2id, for tests. The daemon refuses it unless its configuration allows it.
    """

    secret: Secret | None = None
    new_secret: Secret | None = None
    low_cost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ChangePassphraseResponse(Model):
    """`ChangePassphraseResponse` of the protocol.

    Attributes:
        slot (int): The number of the slot that has the new passphrase.
    """

    slot: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RotateMasterKeyRequest(Model):
    """The request of `rotate_master_key`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RotateMasterKeyResponse(Model):
    """`RotateMasterKeyResponse` of the protocol.

    Attributes:
        generation (int): The number of rotations of this keyring.
    """

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
