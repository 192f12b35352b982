# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/scenes.proto."""

from __future__ import annotations

import builtins
from dataclasses import dataclass

from ..wire import Field, Kind, describe
from ._enums import OpenEnum


class SceneTier(OpenEnum):
    """The values of `SceneTier`."""

    UNSPECIFIED = 0
    # The scene's own value.
    SCENE = 1
    GLOBAL = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneValue:
    """A value, shaped like a property list. At most 1 MiB serialized, with at most 32 values inside one another. A
    value without a kind is INVALID_ARGUMENT. A value with two kinds, or with a field given twice, is
    REQUEST_MALFORMED. Values are equal if their bits are equal: NaN equals NaN, but 0.0 does not equal -0.0.
    """

    string: str | None = None
    integer: int | None = None
    float: builtins.float | None = None
    double: builtins.float | None = None
    boolean: bool | None = None
    # The absolute text of a URL. The daemon does not parse it.
    url: str | None = None
    data: bytes | None = None
    # A UTC time in microseconds since 1970-01-01T00:00:00Z.
    date_microseconds: int | None = None
    array: SceneArray | None = None
    dictionary: SceneDictionary | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneArray:
    """`SceneArray` of the protocol."""

    values: tuple[SceneValue, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneDictionary:
    """Unordered. Answers have the entries in the order of the bytes of their keys. A key given twice is
    INVALID_ARGUMENT.
    """

    entries: tuple[SceneDictionaryEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneDictionaryEntry:
    """`SceneDictionaryEntry` of the protocol."""

    key: str = ""
    value: SceneValue | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSceneValuesRequest:
    """Sets and removes values, in order, all or none. Setting an equal value or removing a missing one changes
    nothing. Answer: commit, or ABORTED SCENE_CONDITION_FAILED. `ids` of the answer is empty. The counts and
    `value_revisions` apply to the scene's own values (with `global`, to the global values). To compare and set,
    take a condition's revision from `value_revisions` or SceneEntry. Never take `commit.revision`, which is the
    revision of the store.
    """

    # 1 to 256 bytes of UTF-8 without NUL.
    scene: str = ""
    # Only the global tier; `scene` is then empty.
    global_: bool = False
    # 1 to 256.
    changes: tuple[SceneChange, ...] = ()
    # Conditions that the scene's own values (with `global`, the global ones) must meet before the first change.
    conditions: tuple[SceneCondition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneChange:
    """`SceneChange` of the protocol."""

    # 1 to 256 bytes of UTF-8 without NUL.
    key: str = ""
    # Absent: the key is removed.
    value: SceneValue | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneCondition:
    """`SceneCondition` of the protocol."""

    key: str = ""
    # Must be true: the key has no value.
    absent: bool | None = None
    # The value was set at this revision.
    revision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneEntry:
    """`SceneEntry` of the protocol."""

    key: str = ""
    tier: SceneTier = SceneTier.UNSPECIFIED
    # The store's revision at which the value was set.
    revision: int = 0
    updated_at_microseconds: int = 0
    # Absent if only keys were requested.
    value: SceneValue | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GetSceneValuesRequest:
    """Returns values of a scene. A scene in which nothing was set has the global values. Answer: scene_values."""

    scene: str = ""
    # Only the global tier; `scene` is then empty.
    global_: bool = False
    # At most 1,000, each once; the answer leaves out keys that do not exist. Values that are together larger than 16
    # MiB, or than a frame, are RESPONSE_TOO_LARGE. Empty: every key, page by page. With keys, `limit` and `cursor`
    # are INVALID_ARGUMENT.
    keys: tuple[str, ...] = ()
    keys_only: bool = False
    # Entries of a page: 1 to 1,000; 0 means 1,000. A page ends earlier if its values need 4 MiB.
    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GetSceneValuesResponse:
    """`GetSceneValuesResponse` of the protocol."""

    # By the bytes of their keys.
    entries: tuple[SceneEntry, ...] = ()
    # The store's revision when the values were read.
    revision: int = 0
    # Empty on the last page.
    next_cursor: str = ""
    # The history that the revisions belong to. Send it (Request.history_id) with conditions on these revisions.
    history_id: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListScenesRequest:
    """Lists scenes that have values of their own, by the bytes of their names. Answer: scenes."""

    # 1 to 1,000; 0 means 100.
    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListScenesResponse:
    """`ListScenesResponse` of the protocol."""

    # A page ends after about 10 milliseconds, so it can have fewer scenes than requested, or none; the next page
    # continues. Only an empty next_cursor means that it is the last one.
    scenes: tuple[SceneSummary, ...] = ()
    # Empty on the last page.
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneSummary:
    """`SceneSummary` of the protocol."""

    scene: str = ""
    key_count: int = 0
    # When one of the values was last set.
    updated_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveSceneRequest:
    """Removes the scene's own values; a large number of values needs several commits. The global values stay.
    Answer: commit, or NOT_FOUND SCENE_NOT_FOUND.
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
