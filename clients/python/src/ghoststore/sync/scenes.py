# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""Scenes as dictionaries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .. import model as wire
from ..protocol import calls
from ..protocol.options import Options
from ..protocol.pages import next_by_cursor
from ..scene_values import PythonValue, from_scene_value, to_scene_value
from .caller import Caller


class Scenes(Caller):
    """Typed values under keys. The global tier is the scene `None`."""

    def set_scene(
        self,
        scene: str | None,
        values: Mapping[str, PythonValue | None],
        *,
        conditions: Sequence[wire.SceneCondition] = (),
        options: Options | None = None,
    ) -> wire.Commit:
        """Sets values, all or none; None removes the key. With conditions: SCENE_CONDITION_FAILED where one fails."""
        request = wire.SetSceneValuesRequest(
            scene=scene or "",
            global_=scene is None,
            changes=tuple(
                wire.SceneChange(key=key, value=None if value is None else to_scene_value(value))
                for key, value in values.items()
            ),
            conditions=tuple(conditions),
        )
        return self.call(calls.SET_SCENE_VALUES, request, options)

    def scene(
        self, scene: str | None, keys: Sequence[str] = (), *, options: Options | None = None
    ) -> dict[str, PythonValue]:
        """The values of a scene, the global ones where it has none of its own; of some keys, or of all."""
        if keys:
            request = wire.GetSceneValuesRequest(scene=scene or "", global_=scene is None, keys=tuple(keys))
            entries = (self.call(calls.GET_SCENE_VALUES, request, options)).entries
        else:
            entries = tuple([entry for entry in self.scene_entries(scene, options=options)])
        return {entry.key: from_scene_value(entry.value or wire.SceneValue()) for entry in entries}

    def scene_entries(
        self, scene: str | None, *, keys_only: bool = False, page_size: int = 0, options: Options | None = None
    ) -> Iterator[wire.SceneEntry]:
        """The entries of a scene by the bytes of their keys, with the revisions that conditions take."""
        request: wire.GetSceneValuesRequest | None = wire.GetSceneValuesRequest(
            scene=scene or "", global_=scene is None, keys_only=keys_only, limit=page_size
        )
        while request is not None:
            page = self.call(calls.GET_SCENE_VALUES, request, options)
            for entry in page.entries:
                yield entry
            request = next_by_cursor(request, page)
