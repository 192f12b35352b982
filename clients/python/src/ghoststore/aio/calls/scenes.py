# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/scenes.proto."""

from __future__ import annotations

from collections.abc import Sequence

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import AsyncCaller


class AsyncScenesCalls(AsyncCaller):
    """The calls of ghoststore/v1/scenes.proto."""

    async def set_scene_values(
        self,
        scene: str,
        changes: Sequence[wire.SceneChange],
        *,
        global_: bool = False,
        conditions: Sequence[wire.SceneCondition] = (),
        options: Options | None = None,
    ) -> wire.Commit:
        """Sets and removes values, in order, all or none. Setting an equal value or removing a missing one changes
        nothing. Answer: commit, or ABORTED SCENE_CONDITION_FAILED. `ids` of the answer is empty. The counts and
        `value_revisions` apply to the scene's own values (with `global`, to the global values). To compare and
        set, take a condition's revision from `value_revisions` or SceneEntry. Never take `commit.revision`,
        which is the revision of the store.
        """
        request = wire.SetSceneValuesRequest(
            scene=scene,
            changes=tuple(changes),
            global_=global_,
            conditions=tuple(conditions),
        )
        return await self.call(calls.SET_SCENE_VALUES, request, options)

    async def get_scene_values(
        self,
        scene: str,
        *,
        global_: bool = False,
        keys: Sequence[str] = (),
        keys_only: bool = False,
        limit: int = 0,
        cursor: str = "",
        options: Options | None = None,
    ) -> wire.GetSceneValuesResponse:
        """Returns values of a scene. A scene in which nothing was set has the global values. Answer: scene_values."""
        request = wire.GetSceneValuesRequest(
            scene=scene,
            global_=global_,
            keys=tuple(keys),
            keys_only=keys_only,
            limit=limit,
            cursor=cursor,
        )
        return await self.call(calls.GET_SCENE_VALUES, request, options)

    async def list_scenes(
        self,
        *,
        limit: int = 0,
        cursor: str = "",
        options: Options | None = None,
    ) -> wire.ListScenesResponse:
        """Lists scenes that have values of their own, by the bytes of their names. Answer: scenes."""
        request = wire.ListScenesRequest(
            limit=limit,
            cursor=cursor,
        )
        return await self.call(calls.LIST_SCENES, request, options)

    async def remove_scene(
        self,
        scene: str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Removes the scene's own values; a large number of values needs several commits. The global values stay.
        Answer: commit, or NOT_FOUND SCENE_NOT_FOUND.
        """
        request = wire.RemoveSceneRequest(
            scene=scene,
        )
        return await self.call(calls.REMOVE_SCENE, request, options)
