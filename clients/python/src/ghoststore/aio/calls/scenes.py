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
        """Sets and removes values, in order, all or none. Setting an equal value or removing a missing value
        changes nothing. To set a value only if it was not changed since you read it, use a condition with the
        revision in `value_revisions` or SceneEntry. Do not use `commit.revision`, which is the revision of the
        store.

        Args:
            scene: 1 to 256 bytes of UTF-8 without NUL.
            changes: 1 to 256 changes.
            global_: True for only the global tier; `scene` must then be empty.
            conditions: Conditions that must hold before the first change. They apply to the scene's own values,
                or with `global` to the global values.

        Returns:
            Commit, with empty `ids`. The counts and `value_revisions` are about the scene's own values, or with
                `global` about the global values.

        Raises:
            Aborted: SCENE_CONDITION_FAILED. A condition on a scene's values does not hold.
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
        """Returns values of a scene. A scene without values of its own has the global values.

        Args:
            scene: 1 to 256 bytes of UTF-8 without NUL.
            global_: True for only the global tier; `scene` must then be empty.
            keys: At most 1,000 keys, each once; the answer leaves out keys that do not exist. If the values
                together are larger than 16 MiB or do not fit into a frame, the answer is RESPONSE_TOO_LARGE. If
                this list is empty, the answer has every key, page by page. A request with keys and with `limit`
                or `cursor` gets INVALID_ARGUMENT.
            keys_only: True to get the entries without their values.
            limit: The maximum number of entries of a page: 1 to 1,000; 0 means 1,000. A page ends earlier if
                its values need 4 MiB.
            cursor: next_cursor of the previous page; empty starts at the top.

        Returns:
            GetSceneValuesResponse, with one page of the entries, or with the entries of the given keys.

        Raises:
            ResourceExhausted: RESPONSE_TOO_LARGE if the values of the given keys do not fit into one answer.
        """
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
        """Lists scenes that have values of their own, ordered by the bytes of their names.

        `scenes` is simpler: it requests one page after another.

        Args:
            limit: 1 to 1,000; 0 means 100.
            cursor: next_cursor of the previous page; empty starts at the top.

        Returns:
            ListScenesResponse, with one page of the list.
        """
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
        """Removes all of the scene's own values, in several commits if they are many. The global values stay.

        Args:
            scene: The name of the scene.

        Returns:
            Commit, with empty `ids`.

        Raises:
            NotFound: SCENE_NOT_FOUND. The scene has no values of its own, so there is nothing to remove.
        """
        request = wire.RemoveSceneRequest(
            scene=scene,
        )
        return await self.call(calls.REMOVE_SCENE, request, options)
