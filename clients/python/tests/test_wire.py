"""Compares this package's encoding and decoding of protobuf with Google's library."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from daemon import REPOSITORY
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from ghoststore import NewMessage, SingleFloat, by_session, model, secrets
from ghoststore.scene_values import from_scene_value, to_scene_value
from ghoststore.wire import Field, Kind, MalformedBytes, decode, described_models, encode, plan_of

ROUNDS = 6


@pytest.fixture(scope="module")
def peers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The classes that Google's library makes from the .proto files."""
    out = tmp_path_factory.mktemp("protos") / "set"
    protos = sorted(str(path) for path in Path(REPOSITORY, "proto-docs").glob("ghoststore/v1/*.proto"))
    command = ["protoc", f"--proto_path={REPOSITORY}/proto-docs", f"--descriptor_set_out={out}", *protos]
    subprocess.run(command, check=True)
    files = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())
    pool = descriptor_pool.DescriptorPool()
    waiting = list(files.file)
    known: set[str] = set()
    while waiting:
        ready = next(file for file in waiting if known.issuperset(file.dependency))
        waiting.remove(ready)
        pool.Add(ready)
        known.add(ready.name)
    # GetMessageClass exists in newer versions of the library, but not in Debian's version.
    make = getattr(message_factory, "GetMessageClass", None) or message_factory.MessageFactory(pool).GetPrototype
    names = [model.__name__ for model in described_models()]
    return {name: make(pool.FindMessageTypeByName(f"ghoststore.v1.{name}")) for name in names}


def value_for(field: Field, dice: random.Random, depth: int) -> Any:
    kind = field.kind
    if kind is Kind.STRING:
        return "".join(dice.choice("aä€🦊\0\n") for _ in range(dice.randrange(1, 9)))
    if kind in (Kind.BYTES, Kind.SECRET):
        return dice.randbytes(dice.randrange(1, 9))
    if kind is Kind.BOOL:
        return dice.random() < 0.5
    if kind is Kind.ENUM:
        return field.of(dice.choice([1, 2, 3, 77]))
    if kind in (Kind.FLOAT, Kind.DOUBLE):
        return SingleFloat(dice.choice([0.0, -0.0, 0.5, -1.25, float("inf")]))
    if kind is Kind.MESSAGE:
        return random_message(field.of, dice, depth + 1)
    if kind is Kind.TEXT_MAP:
        return {"b": "2", "a": "1"}
    bits = 32 if kind is Kind.UINT32 else 64
    lowest, highest = (0, (1 << bits) - 1) if kind in (Kind.UINT32, Kind.UINT64) else (-(1 << 63), (1 << 63) - 1)
    return dice.choice([lowest, highest, 1, 127, 128, 16_384, dice.randrange(1 << 31)])


def random_message(of: Any, dice: random.Random, depth: int = 0) -> Any:
    values: dict[str, Any] = {}
    taken: set[str] = set()
    for field in plan_of(of).fields:
        too_deep = field.kind is Kind.MESSAGE and depth > 3
        if dice.random() < 0.4 or too_deep or (field.oneof and field.oneof in taken):
            continue
        taken.add(field.oneof)
        one = value_for(field, dice, depth)
        values[field.name] = (one, value_for(field, dice, depth)) if field.is_repeated else one
    return of(**values)


def encoded(message: Any) -> bytes:
    result = encode(message)
    for offset, secret in result.secrets:
        assert result.data[offset : offset + len(secret)] == bytes(len(secret)), "secrets are zeros until they are sent"
        result.data[offset : offset + len(secret)] = secret
    return bytes(result.data)


@pytest.mark.parametrize("of", described_models(), ids=lambda of: str(of.__name__))
def test_messages_are_encoded_and_decoded_like_googles_library(of: Any, peers: dict[str, Any]) -> None:
    dice = random.Random(of.__name__)
    for _ in range(ROUNDS):
        message = random_message(of, dice)
        ours = encoded(message)
        peer = peers[of.__name__].FromString(ours)
        assert peer.SerializeToString(deterministic=True) == ours
        assert decode(of, ours) == message


@pytest.mark.parametrize("of", described_models(), ids=lambda of: str(of.__name__))
def test_damaged_bytes_are_malformed_or_a_message_and_nothing_else(of: Any) -> None:
    dice = random.Random(of.__name__)
    for _ in range(ROUNDS):
        data = bytearray(encoded(random_message(of, dice)))
        for _ in range(dice.randrange(4)):
            data[dice.randrange(len(data) or 1) : dice.randrange(len(data) or 1)] = dice.randbytes(dice.randrange(3))
        try:
            assert isinstance(decode(of, bytes(data)), of)
        except MalformedBytes:
            pass


def test_unknown_fields_are_ignored_and_unknown_enum_values_are_kept() -> None:
    message = model.Message(id="m", status=model.MessageStatus(9))
    again = decode(model.Message, encoded(message) + bytes.fromhex("f8ff0301"))
    assert again == message and not again.status.is_known and again.status == 9


def test_a_message_given_twice_is_merged_and_the_last_member_of_a_oneof_counts() -> None:
    first = model.Message(timer=model.MessageTimer(lifetime_milliseconds=5))
    second = model.Message(timer=model.MessageTimer(start=model.MessageTimerStart.READING))
    merged = decode(model.Message, encoded(first) + encoded(second))
    assert merged.timer == model.MessageTimer(lifetime_milliseconds=5, start=model.MessageTimerStart.READING)
    both = encoded(model.ConversationReference(id="a")) + encoded(model.ConversationReference(session_id="b"))
    assert decode(model.ConversationReference, both) == model.ConversationReference(session_id="b")


@pytest.mark.parametrize(
    "data",
    ["0a", "0a05", "08", "0bff", "ffffffffffffffffffff01", "0a01ff", "00", "0d0000"],
    ids=["no length", "too short", "no value", "group", "eleven bytes", "no UTF-8", "no number", "short fixed"],
)
def test_malformed_bytes_are_refused(data: str) -> None:
    with pytest.raises(MalformedBytes):
        decode(model.Message, bytes.fromhex(data))


def test_messages_nested_too_deep_are_refused() -> None:
    data = b""
    for _ in range(1000):
        inner = b"\x0a" + _varint(len(data)) + data
        data = b"\x4a" + _varint(len(inner)) + inner
    with pytest.raises(MalformedBytes, match="nested"):
        decode(model.SceneValue, data)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def test_a_value_that_a_field_cannot_hold_is_refused_before_it_is_sent() -> None:
    for wrong in (
        model.ListMessagesRequest(limit=-1),
        model.ListMessagesRequest(limit=1 << 32),
        model.ListMessagesRequest(from_microseconds=1 << 63),
        model.GetMessageRequest(id="\udcff"),
    ):
        with pytest.raises(ValueError):
            encode(wrong)
    others: list[Any] = [model.GetMessageRequest, model.SaveMessageRequest, model.PingRequest]
    for other in (others[0](id=b"m"), others[1](message="m"), others[2]):
        with pytest.raises((TypeError, KeyError)):
            encode(other)


def test_scene_values_without_a_python_equivalent_stay_unchanged() -> None:
    for value in (model.SceneValue(date_microseconds=-(1 << 63)), model.SceneValue()):
        assert from_scene_value(value) == value
        assert to_scene_value(value) is value
    with pytest.raises(TypeError):
        to_scene_value(object())


def test_a_secret_is_not_in_its_text_and_is_wiped_in_place() -> None:
    buffer = bytearray(b"vector passphrase")
    secret = secrets.passphrase(buffer)
    assert "vector" not in repr(secret) and secret.value is buffer
    secrets.wipe(buffer)
    assert buffer == bytes(17)
    with pytest.raises(TypeError, match="bytearray"):
        secrets.wipe(b"kept")


def test_a_string_in_a_request_names_a_conversation_or_a_path() -> None:
    by_text = NewMessage(conversation="05alice", text="hello")
    assert encode(by_text).data == encode(NewMessage(conversation=by_session("05alice"), text="hello")).data
    path = model.FilePath(area=model.FileArea.DOCUMENT, path="a/b")
    assert encode(model.GetFileRequest(path="document/a/b")).data == encode(model.GetFileRequest(path=path)).data
    with pytest.raises(TypeError, match="conversation takes a ConversationReference or a string, not int"):
        encode(NewMessage(conversation=5))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="timer takes a MessageTimer, not str"):
        encode(NewMessage(timer="5 s"))  # type: ignore[arg-type]


def test_the_text_of_a_message_has_only_what_is_set() -> None:
    assert repr(model.Message(id="m", is_read=True)) == "Message(id='m', is_read=True)"
    assert repr(model.SceneValue(integer=0)) == "SceneValue(integer=0)"
    assert repr(model.Error()) == "Error()" and repr(model.PingRequest()) == "PingRequest()"
    assert repr(model.FoundMessage(snippet="s")) == "FoundMessage(snippet='s')"


def test_a_message_that_an_answer_always_has_is_never_none() -> None:
    assert decode(model.OpenLogResponse, b"").log == model.Log()
    assert decode(model.OpenLogResponse, encode(model.OpenLogResponse(log=model.Log(name="l"))).data).log.name == "l"
