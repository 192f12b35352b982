# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/scenes.proto."""

from __future__ import annotations

import builtins
from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe
from ._enums import OpenEnum


class SceneTier(OpenEnum):
    """The tier in which a value was found.

    Attributes:
        SCENE: The scene's own value.
        GLOBAL: The global value, because the scene has no value of its own.
    """

    UNSPECIFIED = 0
    SCENE = 1
    GLOBAL = 2


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SceneValue(Model):
    """A value of one of the types that property lists have. At most 1 MiB serialized, with at most 32 values
    inside one another. A request with a value without a kind gets INVALID_ARGUMENT. A request with a value with
    two kinds, or with a field given twice, gets REQUEST_MALFORMED. Values are equal if their bits are equal:
    NaN equals NaN, but 0.0 does not equal -0.0.

    Attributes:
        string (str | None): A text.
        integer (int | None): A whole number. An integer and a double are never equal.
        float (float | None): A number of single precision.
        double (float | None): A number of double precision.
        boolean (bool | None): True or false.
        url (str | None): The absolute text of a URL. The daemon does not parse it.
        data (bytes | None): Any bytes.
        date_microseconds (int | None): A UTC time in microseconds since 1970-01-01T00:00:00Z.
        array (SceneArray | None): Values in their order.
        dictionary (SceneDictionary | None): Values under keys.
    """

    string: str | None = None
    integer: int | None = None
    float: builtins.float | None = None
    double: builtins.float | None = None
    boolean: bool | None = None
    url: str | None = None
    data: bytes | None = None
    date_microseconds: int | None = None
    array: SceneArray | None = None
    dictionary: SceneDictionary | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SceneArray(Model):
    """`SceneArray` of the protocol.

    Attributes:
        values (tuple[SceneValue, ...])
    """

    values: tuple[SceneValue, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SceneDictionary(Model):
    """Values under keys. The order of the entries has no meaning; answers have them in the order of the bytes of
    their keys. A request with a key given twice gets INVALID_ARGUMENT.

    Attributes:
        entries (tuple[SceneDictionaryEntry, ...])
    """

    entries: tuple[SceneDictionaryEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SceneDictionaryEntry(Model):
    """`SceneDictionaryEntry` of the protocol.

    Attributes:
        key (str)
        value (SceneValue | None)
    """

    key: str = ""
    value: SceneValue | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SetSceneValuesRequest(Model):
    """The request of `set_scene_values`.

    Attributes:
        scene (str): 1 to 256 bytes of UTF-8 without NUL.
        global_ (bool): True for only the global tier; `scene` must then be empty.
        changes (tuple[SceneChange, ...]): 1 to 256 changes.
        conditions (tuple[SceneCondition, ...]): Conditions that must hold before the first change. They apply
            to the scene's own values, or with `global` to the global values.
    """

    scene: str = ""
    global_: bool = False
    changes: tuple[SceneChange, ...] = ()
    conditions: tuple[SceneCondition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SceneChange(Model):
    """`SceneChange` of the protocol.

    Attributes:
        key (str): 1 to 256 bytes of UTF-8 without NUL.
        value (SceneValue | None): The new value. Absent: the key is removed.
    """

    key: str = ""
    value: SceneValue | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SceneCondition(Model):
    """`SceneCondition` of the protocol.

    Attributes:
        key (str): The key whose value the condition is about.
        absent (bool | None): The condition holds if the key has no value. The field must be true.
        revision (int | None): The condition holds if the key has a value that was set at this revision of the
            store.
    """

    key: str = ""
    absent: bool | None = None
    revision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SceneEntry(Model):
    """A key of a scene, with its value.

    Attributes:
        key (str): 1 to 256 bytes.
        tier (SceneTier): The tier in which the value was found.
        revision (int): The store's revision at which the value was set.
        updated_at_microseconds (int): When the value was set, by the daemon's clock.
        value (SceneValue | None): The value; absent if only keys were requested.
    """

    key: str = ""
    tier: SceneTier = SceneTier.UNSPECIFIED
    revision: int = 0
    updated_at_microseconds: int = 0
    value: SceneValue | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetSceneValuesRequest(Model):
    """The request of `get_scene_values`.

    Attributes:
        scene (str): 1 to 256 bytes of UTF-8 without NUL.
        global_ (bool): True for only the global tier; `scene` must then be empty.
        keys (tuple[str, ...]): At most 1,000 keys, each once; the answer leaves out keys that do not exist. If
            the values together are larger than 16 MiB or do not fit into a frame, the answer is
            RESPONSE_TOO_LARGE. If this list is empty, the answer has every key, page by page. A request with
            keys and with `limit` or `cursor` gets INVALID_ARGUMENT.
        keys_only (bool): True to get the entries without their values.
        limit (int): The maximum number of entries of a page: 1 to 1,000; 0 means 1,000. A page ends earlier if
            its values need 4 MiB.
        cursor (str): next_cursor of the previous page; empty starts at the top.
    """

    scene: str = ""
    global_: bool = False
    keys: tuple[str, ...] = ()
    keys_only: bool = False
    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetSceneValuesResponse(Model):
    """Entries of a scene, ordered by the bytes of their keys.

    Attributes:
        entries (tuple[SceneEntry, ...]): The entries, ordered by the bytes of their keys.
        revision (int): The store's revision when the values were read.
        next_cursor (str): Empty on the last page.
        history_id (bytes): The history to which the revisions belong. Send this id as Request.history_id with
            conditions on these revisions.
    """

    entries: tuple[SceneEntry, ...] = ()
    revision: int = 0
    next_cursor: str = ""
    history_id: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListScenesRequest(Model):
    """The request of `list_scenes`.

    Attributes:
        limit (int): 1 to 1,000; 0 means 100.
        cursor (str): next_cursor of the previous page; empty starts at the top.
    """

    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListScenesResponse(Model):
    """A page of scenes, ordered by the bytes of their names.

    Attributes:
        scenes (tuple[SceneSummary, ...]): A page ends when the daemon has searched for about 10 milliseconds,
            so it can have fewer scenes than requested, or none. Only an empty next_cursor means that a page is
            the last one.
        next_cursor (str): Empty on the last page.
    """

    scenes: tuple[SceneSummary, ...] = ()
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SceneSummary(Model):
    """A scene that has values of its own.

    Attributes:
        scene (str): The name of the scene: 1 to 256 bytes.
        key_count (int): The number of keys for which the scene has a value of its own.
        updated_at_microseconds (int): When one of the values was last set.
    """

    scene: str = ""
    key_count: int = 0
    updated_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RemoveSceneRequest(Model):
    """The request of `remove_scene`.

    Attributes:
        scene (str): The name of the scene.
    """

    scene: str = ""


describe(
    SceneValue,
    Field(1, "string", Kind.STRING, has_presence=True, oneof="kind"),
    Field(2, "integer", Kind.SINT64, has_presence=True, oneof="kind"),
    Field(3, "float", Kind.FLOAT, has_presence=True, oneof="kind"),
    Field(4, "double", Kind.DOUBLE, has_presence=True, oneof="kind"),
    Field(5, "boolean", Kind.BOOL, has_presence=True, oneof="kind"),
    Field(6, "url", Kind.STRING, has_presence=True, oneof="kind"),
    Field(7, "data", Kind.BYTES, has_presence=True, oneof="kind"),
    Field(8, "date_microseconds", Kind.SINT64, has_presence=True, oneof="kind"),
    Field(9, "array", Kind.MESSAGE, SceneArray, has_presence=True, oneof="kind"),
    Field(10, "dictionary", Kind.MESSAGE, SceneDictionary, has_presence=True, oneof="kind"),
)
describe(
    SceneArray,
    Field(1, "values", Kind.MESSAGE, SceneValue, is_repeated=True),
)
describe(
    SceneDictionary,
    Field(1, "entries", Kind.MESSAGE, SceneDictionaryEntry, is_repeated=True),
)
describe(
    SceneDictionaryEntry,
    Field(1, "key", Kind.STRING),
    Field(2, "value", Kind.MESSAGE, SceneValue, has_presence=True),
)
describe(
    SetSceneValuesRequest,
    Field(1, "scene", Kind.STRING),
    Field(2, "global_", Kind.BOOL),
    Field(3, "changes", Kind.MESSAGE, SceneChange, is_repeated=True),
    Field(4, "conditions", Kind.MESSAGE, SceneCondition, is_repeated=True),
)
describe(
    SceneChange,
    Field(1, "key", Kind.STRING),
    Field(2, "value", Kind.MESSAGE, SceneValue, has_presence=True),
)
describe(
    SceneCondition,
    Field(1, "key", Kind.STRING),
    Field(2, "absent", Kind.BOOL, has_presence=True, oneof="condition"),
    Field(3, "revision", Kind.UINT64, has_presence=True, oneof="condition"),
)
describe(
    SceneEntry,
    Field(1, "key", Kind.STRING),
    Field(2, "tier", Kind.ENUM, SceneTier),
    Field(3, "revision", Kind.UINT64),
    Field(4, "updated_at_microseconds", Kind.INT64),
    Field(5, "value", Kind.MESSAGE, SceneValue, has_presence=True),
)
describe(
    GetSceneValuesRequest,
    Field(1, "scene", Kind.STRING),
    Field(2, "global_", Kind.BOOL),
    Field(3, "keys", Kind.STRING, is_repeated=True),
    Field(4, "keys_only", Kind.BOOL),
    Field(5, "limit", Kind.UINT32),
    Field(6, "cursor", Kind.STRING),
)
describe(
    GetSceneValuesResponse,
    Field(1, "entries", Kind.MESSAGE, SceneEntry, is_repeated=True),
    Field(2, "revision", Kind.UINT64),
    Field(3, "next_cursor", Kind.STRING),
    Field(4, "history_id", Kind.BYTES),
)
describe(
    ListScenesRequest,
    Field(1, "limit", Kind.UINT32),
    Field(2, "cursor", Kind.STRING),
)
describe(
    ListScenesResponse,
    Field(1, "scenes", Kind.MESSAGE, SceneSummary, is_repeated=True),
    Field(2, "next_cursor", Kind.STRING),
)
describe(
    SceneSummary,
    Field(1, "scene", Kind.STRING),
    Field(2, "key_count", Kind.UINT64),
    Field(3, "updated_at_microseconds", Kind.INT64),
)
describe(
    RemoveSceneRequest,
    Field(1, "scene", Kind.STRING),
)
