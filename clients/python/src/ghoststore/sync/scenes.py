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
    """Typed values under keys. The scene `None` is the global tier."""

    def set_scene(
        self,
        scene: str | None,
        values: Mapping[str, PythonValue | None],
        *,
        conditions: Sequence[wire.SceneCondition] = (),
        options: Options | None = None,
    ) -> wire.Commit:
        """Sets values of a scene, all or none.

        Args:
            scene: The name of the scene; None: the global tier.
            values: The values by their keys. The value None removes its key.
            conditions: Conditions that must be met before the first change, for example that a value still has the
                revision at which it was read.

        Returns:
            Commit, with the revision of each value in `value_revisions`.

        Raises:
            Aborted: SCENE_CONDITION_FAILED. A condition is not met; nothing was changed.
            TypeError: A value has a type that scenes cannot hold.
        """
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
        """Returns the values of a scene, for some keys or for all.

        A key without a value in the scene has its global value. Keys without any value are left out.

        Raises:
            ResourceExhausted: RESPONSE_TOO_LARGE if the values of the given keys do not fit into one answer.
        """
        if keys:
            request = wire.GetSceneValuesRequest(scene=scene or "", global_=scene is None, keys=tuple(keys))
            entries = (self.call(calls.GET_SCENE_VALUES, request, options)).entries
        else:
            entries = tuple([entry for entry in self.scene_entries(scene, options=options)])
        return {entry.key: from_scene_value(entry.value or wire.SceneValue()) for entry in entries}

    def scene_entries(
        self, scene: str | None, *, keys_only: bool = False, page_size: int = 0, options: Options | None = None
    ) -> Iterator[wire.SceneEntry]:
        """Yields the entries of a scene in the byte order of their keys, with the revisions that conditions need."""
        request: wire.GetSceneValuesRequest | None = wire.GetSceneValuesRequest(
            scene=scene or "", global_=scene is None, keys_only=keys_only, limit=page_size
        )
        while request is not None:
            page = self.call(calls.GET_SCENE_VALUES, request, options)
            for entry in page.entries:
                yield entry
            request = next_by_cursor(request, page)
