#!/usr/bin/env python3
"""Writes the test vectors beside it (proto-docs/VECTORS.md) with `protoc --encode`."""

import hashlib
import pathlib
import struct
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PROTO = HERE.parent.parent
PASSPHRASE = "vector passphrase"


def encode(message, text):
    return subprocess.run(
        ["protoc", "-I", PROTO, "--encode", f"ghoststore.v1.{message}", "ghoststore/v1/service.proto"],
        input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


def frame(payload):
    return struct.pack(">I", len(payload)) + payload


def request(text):
    return frame(encode("Request", text))


def response(text):
    return frame(encode("Response", text))


def send(*frames):
    return "send: " + b"".join(frames).hex()


def expect_frame(text):
    return "expect: frame " + response(text).hex()


def write(name, meaning, store, *lines):
    text = "".join(f"# {line}\n" for line in meaning) + f"store: {store}\n" + "".join(f"{line}\n" for line in lines)
    (HERE / f"{name}.txt").write_text(text)


PING = [request(f"id: {n} ping {{}}") for n in range(10)]
PONG = [expect_frame(f"id: {n} ping {{}}") for n in range(10)]
UNLOCK = f'unlock {{ secret {{ kind: KEY_SLOT_KIND_PASSPHRASE value: "{PASSPHRASE}" }} }}'
SAVE = 'save_message { message { id: "m1" conversation { session_id: "alice" } text: "hi" timestamp_microseconds: 1700000000000000 } }'


def frames():
    write("frame-ping", ["The smallest exchange: a ping and its answer."], "absent", send(PING[1]), PONG[1])
    write("frame-id-zero", ["An id of 0, or none, is an id like any other."], "absent",
          send(request("ping {}")), expect_frame("ping {}"))
    write("frame-id-largest", ["Ids have 64 bits."], "absent",
          send(request("id: 18446744073709551615 ping {}")), expect_frame("id: 18446744073709551615 ping {}"))
    write("frame-several-at-once", ["Several frames may arrive in one piece; each is answered."], "absent",
          send(PING[1], PING[2], PING[3]), PONG[1], PONG[2], PONG[3])
    write("frame-in-pieces", ["A frame may arrive byte by byte, its header too."], "absent",
          *[f"send: {byte:02x}" for byte in PING[1]], PONG[1])
    write("frame-across-pieces", ["A piece may end one frame and begin the next."], "absent",
          send(PING[1][:6]), send(PING[1][6:], PING[2][:2]), PONG[1], send(PING[2][2:]), PONG[2])
    write("frame-length-zero", ["A length of 0 is no frame: an error, then the end. What came before is answered."],
          "absent", send(PING[1], bytes(4)), PONG[1], "expect: error FRAME_EMPTY id=0", "expect: close")
    write("frame-length-4-gib", ["A length above the maximum is refused without waiting for the payload."], "absent",
          "send: ffffffff", "expect: error FRAME_TOO_LARGE id=0", "expect: close")
    write("frame-length-above-16-mib", ["One byte more than the default maximum of 16 MiB."], "absent",
          "send: 01000001", "expect: error FRAME_TOO_LARGE id=0", "expect: close")
    write("frame-half-close", ["A client that has closed its sending side gets all its answers, then the end."],
          "absent", send(PING[1], PING[2]), "half-close", PONG[1], PONG[2], "expect: close")
    write("frame-truncated", ["The sending side is closed within a frame."], "absent",
          send(PING[1], PING[2][:5]), "half-close", PONG[1], "expect: error FRAME_TRUNCATED id=0", "expect: close")


def payloads():
    write("payload-random", ["A payload that is no protobuf is refused with id 0; the connection lives on."], "absent",
          send(frame(bytes.fromhex("ffffffffff")), PING[2]), "expect: error REQUEST_MALFORMED id=0", PONG[2])
    write("payload-malformed-after-id", ["The id is told when it could be read before the fault."], "absent",
          send(frame(bytes.fromhex("0807") + b"\xff"), PING[2]), "expect: error REQUEST_MALFORMED id=7", PONG[2])
    write("payload-group", ["Groups (wire type 3) are not used."], "absent",
          send(frame(bytes.fromhex("0801530854")), PING[2]), "expect: error REQUEST_MALFORMED id=1", PONG[2])
    write("payload-two-calls", ["A request names one call: here ping and get_status."], "absent",
          send(frame(bytes.fromhex("08015a006200")), PING[2]), "expect: error REQUEST_MALFORMED id=1", PONG[2])
    write("payload-call-repeated", ["The same call twice is two calls, and so is one that is not known beside ping."],
          "absent", send(frame(bytes.fromhex("08015a005a00")), frame(bytes.fromhex("08035a00c23e00")), PING[2]),
          "expect: error REQUEST_MALFORMED id=1", "expect: error REQUEST_MALFORMED id=3", PONG[2])
    write("payload-call-no-message", ["A call's number on a field that is no message names no call."], "absent",
          send(frame(bytes.fromhex("08015801")), PING[2]), "expect: error CALL_UNKNOWN id=1", PONG[2])
    write("payload-envelope", ["Of a field given twice the last one counts; field 5 and a deadline of another wire type",
                               "are not known, and ignored."], "absent",
          send(frame(bytes.fromhex("0807080128011200") + b"\x5a\x00")), PONG[1])
    write("payload-no-call", ["A request that names no call."], "absent",
          send(request("id: 1"), PING[2]), "expect: error CALL_UNKNOWN id=1", PONG[2])
    write("payload-unknown-call", ["A call of a later version: field 1000."], "absent",
          send(frame(bytes.fromhex("0801c23e00")), PING[2]), "expect: error CALL_UNKNOWN id=1", PONG[2])
    write("payload-unknown-field", ["Fields that are not known are ignored: field 100 within ping."], "absent",
          send(frame(bytes.fromhex("08015a03a00601"))), PONG[1])
    write("payload-call-malformed", ["The call's own message is cut short."], "absent",
          send(frame(bytes.fromhex("0801d207020aff")), PING[2]), "expect: error REQUEST_MALFORMED id=1", PONG[2])
    ids = " ".join('ids: "m"' for _ in range(400))
    write("payload-too-many-entries", ["A list of ids has at most 256 entries."], "absent",
          send(request(f"id: 1 delete_messages {{ {ids} }}"), PING[2]), "expect: error REQUEST_TOO_LARGE id=1", PONG[2])
    write("payload-call-too-large", ["A call that holds names only has at most 16 KiB."], "absent",
          send(request(f'id: 1 get_message {{ id: "{"m" * 20_000}" }}')), "expect: error REQUEST_TOO_LARGE id=1")
    nested = b""
    for _ in range(200):
        nested = b"\x0a" + varint(len(nested)) + nested
    write("payload-deep-nesting", ["Messages within messages, 200 deep, in save_message: refused, and the connection lives on."],
          "absent", send(frame(b"\x08\x01\xc2\x07" + varint(len(nested)) + nested), PING[2]),
          "expect: error REQUEST_MALFORMED id=1", PONG[2])
    write("payload-unknown-enum-value", ["A value of an enum that is not known is refused, not ignored."], "open",
          send(request('id: 1 update_message_status { ids: "m1" status: 9 }')),
          "expect: error INVALID_ARGUMENT id=1")


def varint(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def service():
    write("service-hello", ["hello is optional and tells the daemon's limits and the caller's user."], "absent",
          send(request('id: 1 hello { client_name: "vectors/1" protocol_version: 1 }')), "expect: result hello id=1")
    write("service-status", ["Status is answered in every state of the store."], "absent",
          send(request("id: 1 get_status {}")), "expect: result status id=1")
    write("service-cancel-nothing", ["Cancelling what does not exist is answered just the same."], "absent",
          send(request("id: 1 cancel { request_id: 77 }")), expect_frame("id: 1 cancel {}"))
    write("service-key-on-a-read", ["Idempotency keys are for mutations."], "absent",
          send(request('id: 1 idempotency_key: "0123456789" ping {}')), "expect: error INVALID_ARGUMENT id=1")


def keys():
    get = 'get_message { id: "m1" }'
    write("store-absent", ["Without a store, data cannot be had."], "absent",
          send(request(f"id: 1 {get}"), request(f"id: 2 {SAVE}"), request(f"id: 3 {UNLOCK}")),
          "expect: error STORE_ABSENT id=1", "expect: error STORE_ABSENT id=2", "expect: error STORE_ABSENT id=3")
    write("store-initialize", ["A store is made with a low-cost passphrase (tests only), once."], "absent",
          send(request(f'id: 1 initialize_store {{ secret {{ kind: KEY_SLOT_KIND_PASSPHRASE value: "{PASSPHRASE}" }} low_cost: true }}')),
          expect_frame("id: 1 initialize_store {}"),
          send(request(f'id: 2 initialize_store {{ secret {{ kind: KEY_SLOT_KIND_PASSPHRASE value: "{PASSPHRASE}" }} low_cost: true }}')),
          "expect: error STORE_EXISTS id=2")
    write("store-locked", ["A locked store answers ping, and everything else with STORE_LOCKED."], "locked",
          send(request(f"id: 1 {get}")), "expect: error STORE_LOCKED id=1",
          send(request(f"id: 2 {SAVE}")), "expect: error STORE_LOCKED id=2",
          send(request("id: 3 list_conversations {}")), "expect: error STORE_LOCKED id=3",
          send(request("id: 4 watch {}")), "expect: error STORE_LOCKED id=4", send(PING[5]), PONG[5])
    write("store-wrong-key", ["A wrong passphrase, then the right one; a third unlock finds the store open."], "locked",
          send(request('id: 1 unlock { secret { kind: KEY_SLOT_KIND_PASSPHRASE value: "wrong" } }')), "expect: error WRONG_KEY id=1",
          send(request(f"id: 2 {UNLOCK}")), expect_frame("id: 2 unlock { slot: 1 }"),
          send(request(f"id: 3 {UNLOCK}")), "expect: error STORE_ALREADY_OPEN id=3")
    write("store-unlock-throttled", ["After three wrong secrets the user must wait."], "locked",
          *[line for n in (1, 2, 3) for line in (
              send(request(f'id: {n} unlock {{ secret {{ kind: KEY_SLOT_KIND_PASSPHRASE value: "wrong" }} }}')),
              f"expect: error WRONG_KEY id={n}")],
          send(request(f"id: 4 {UNLOCK}")), "expect: error UNLOCK_THROTTLED id=4")
    write("store-secret-missing", ["unlock without a secret."], "locked",
          send(request("id: 1 unlock {}")), "expect: error INVALID_ARGUMENT id=1")
    secret = encode("Secret", f'kind: KEY_SLOT_KIND_PASSPHRASE value: "{PASSPHRASE}"')
    call = 2 * (b"\x0a" + varint(len(secret)) + secret)
    write("store-secret-twice", ["A secret given twice is refused, where protobuf would take the last."], "locked",
          send(frame(b"\x08\x01\xfa\x01" + varint(len(call)) + call)), "expect: error REQUEST_MALFORMED id=1")
    write("store-unlock-then-use", ["What is sent after unlock waits for it: one write, three answers, in order."],
          "locked", send(request(f"id: 1 {UNLOCK}"), request(f"id: 2 {SAVE}"), request("id: 3 get_message { id: \"m1\" }")),
          "half-close", expect_frame("id: 1 unlock { slot: 1 }"), "expect: result commit id=2",
          "expect: result message id=3", "expect: close")
    write("store-unlock-accept-loss", ["Accepting a loss where nothing is lost is an unlock like any other."], "locked",
          send(request("id: 1 " + UNLOCK[:-1] + "accept_loss: true }")), expect_frame("id: 1 unlock { slot: 1 }"),
          send(request(f"id: 2 {SAVE}")), "expect: result commit id=2")


def data():
    write("data-save-and-get", ["A read sees the write sent before it on its connection, in one piece with it."], "open",
          send(request(f"id: 1 {SAVE}"), request('id: 2 get_message { id: "m1" }')),
          expect_frame('id: 1 commit { revision: 2 ids: "m1" created_count: 1 }'), "expect: result message id=2")
    write("data-not-found", ["What is not there."], "open",
          send(request('id: 1 get_message { id: "none" }')), "expect: error MESSAGE_NOT_FOUND id=1",
          send(request('id: 2 get_conversation { conversation { session_id: "none" } }')),
          "expect: error CONVERSATION_NOT_FOUND id=2",
          send(request('id: 3 get_contact { session_id: "none" }')), "expect: error CONTACT_NOT_FOUND id=3")
    write("data-invalid-arguments", ["Requests that parse and make no sense."], "open",
          send(request("id: 1 get_message {}")), "expect: error INVALID_ARGUMENT id=1",
          send(request("id: 2 save_message {}")), "expect: error INVALID_ARGUMENT id=2",
          send(request('id: 3 save_message { message { id: "m" } }')),
          "expect: error INVALID_ARGUMENT id=3",
          send(request('id: 4 list_messages { conversation { session_id: "alice" } limit: 1001 }')),
          "expect: error INVALID_ARGUMENT id=4",
          send(request('id: 5 list_messages { conversation { session_id: "alice" } before_cursor: "x" }')),
          "expect: error INVALID_ARGUMENT id=5",
          send(request("id: 6 clear_all_data {}")), "expect: error INVALID_ARGUMENT id=6")
    keyed = f'idempotency_key: "0123456789abcdef" {SAVE}'
    write("data-idempotency", [
        "The second request with the same key has no effect and gets the first one's answer, marked as replayed."], "open",
          send(request(f"id: 1 {keyed}")), expect_frame('id: 1 commit { revision: 2 ids: "m1" created_count: 1 }'),
          send(request(f"id: 2 {keyed}")),
          expect_frame('id: 2 commit { revision: 2 ids: "m1" created_count: 1 is_replayed: true }'),
          send(request('id: 3 idempotency_key: "short" delete_messages { ids: "m1" }')),
          "expect: error INVALID_ARGUMENT id=3")
    write("data-idempotency-reused", [
        "One key is one request: the same call with another text, and another call, are refused and do nothing."], "open",
          send(request(f"id: 1 {keyed}")), expect_frame('id: 1 commit { revision: 2 ids: "m1" created_count: 1 }'),
          send(request('id: 2 ' + keyed.replace('"hi"', '"ho"'))), "expect: error IDEMPOTENCY_KEY_REUSED id=2",
          send(request('id: 3 idempotency_key: "0123456789abcdef" delete_messages { ids: "m1" }')),
          "expect: error IDEMPOTENCY_KEY_REUSED id=3",
          send(request('id: 4 get_message { id: "m1" }')), "expect: result message id=4")
    write("data-get-or-create", ["get_or_create_conversation answers the conversation."], "open",
          send(request('id: 1 get_or_create_conversation { session_id: "alice" id: "c1" }')),
          "expect: result get_or_create_conversation id=1",
          send(request('id: 2 get_or_create_conversation { session_id: "alice" }')), "expect: result get_or_create_conversation id=2")
    write("data-drafts", ["A draft is saved, read, and goes with the message that is sent; a party without a conversation has none."],
          "open", send(request('id: 1 get_or_create_conversation { session_id: "alice" id: "c1" }')),
          "expect: result get_or_create_conversation id=1",
          send(request('id: 2 save_draft { conversation { session_id: "alice" } text: "not sent" reply_to_message_id: "m0" }')),
          expect_frame('id: 2 commit { revision: 2 ids: "c1" created_count: 1 }'),
          send(request('id: 3 get_draft { conversation { id: "c1" } }')), "expect: result draft id=3",
          send(request("id: 4 list_drafts {}")), "expect: result drafts id=4",
          send(request('id: 5 save_message { message { id: "m1" conversation { id: "c1" } text: "sent" } clear_draft: true }')),
          expect_frame('id: 5 commit { revision: 4 ids: "m1" created_count: 1 }'),
          send(request('id: 6 get_draft { conversation { id: "c1" } }')), expect_frame("id: 6 draft {}"),
          send(request('id: 7 delete_draft { conversation { id: "c1" } }')),
          expect_frame('id: 7 commit { revision: 4 ids: "c1" }'),
          send(request('id: 8 get_draft { conversation { session_id: "bob" } }')),
          "expect: error CONVERSATION_NOT_FOUND id=8")
    digest = "".join("\\%03o" % byte for byte in hashlib.blake2b(b"hello", digest_size=32).digest())
    known = 'name: "a.txt" mime_type: "text/plain" byte_count: 5 digest: "' + digest + '" is_stored: true'
    write("data-attachments", ["An attachment is saved with its message, known by BLAKE2b-256 of its content, read by its place, and named again."],
          "open", send(request('id: 1 save_message { message { id: "m1" conversation { session_id: "alice" } '
                               'attachments { data: "hello" name: "a.txt" mime_type: "text/plain" } } }')),
          expect_frame('id: 1 commit { revision: 2 ids: "m1" created_count: 1 }'),
          send(request('id: 2 read_attachment { message_id: "m1" offset: 1 byte_count: 3 }')),
          expect_frame('id: 2 attachment_data { data: "ell" attachment { ' + known + ' } }'),
          send(request('id: 3 save_message { message { id: "m2" conversation { session_id: "alice" } '
                       'attachments { digest: "' + digest + '" mime_type: "text/plain" } } }')),
          expect_frame('id: 3 commit { revision: 3 ids: "m2" created_count: 1 }'),
          send(request('id: 4 get_attachment_usage {}')),
          expect_frame('id: 4 attachment_usage { content_count: 1 byte_count: 5 stored_count: 1 stored_bytes: 5 }'),
          send(request('id: 5 read_attachment { message_id: "m1" position: 1 }')), "expect: error ATTACHMENT_NOT_FOUND id=5",
          send(request('id: 6 save_message { message { id: "m3" conversation { session_id: "alice" } '
                       'attachments { digest: "' + "x" * 32 + '" mime_type: "text/plain" } } }')),
          "expect: error ATTACHMENT_CONTENT_NOT_FOUND id=6",
          send(request('id: 7 begin_attachment_write {}')), "expect: result file_write id=7")
    metadata = 'metadata { data: "\\000\\377" type: "application/json" }'
    large = 'metadata { data: "x" type: "' + "x" * 257 + '" }'
    save = 'save_message { message { id: "m1" conversation { session_id: "alice" } '
    attached = 'attachments { data: "hello" name: "a.txt" mime_type: "text/plain" ' + metadata + " }"
    write("data-metadata", ["Messages and attachments keep the application's own data; a conversation has members."], "open",
          send(request(f'id: 1 {save} kind: "notice" sender_name: "Alice" {metadata} {attached} }} }}')),
          expect_frame('id: 1 commit { revision: 2 ids: "m1" created_count: 1 }'),
          send(request('id: 2 list_messages { conversation { session_id: "alice" } kind: "notice" }')),
          "expect: result messages id=2",
          send(request('id: 3 list_messages { conversation { session_id: "alice" } kind: "" }')), expect_frame("id: 3 messages {}"),
          send(request('id: 4 read_attachment { message_id: "m1" byte_count: 1 }')),
          expect_frame('id: 4 attachment_data { data: "h" attachment { ' + known + " " + metadata + " } }"),
          send(request(f"id: 5 {save} {large} }} }}")), "expect: error INVALID_ARGUMENT id=5",
          send(request(f'id: 6 {save} attachments {{ data: "x" mime_type: "text/plain" {large} }} }} }}')),
          "expect: error INVALID_ARGUMENT id=6",
          send(request('id: 7 set_conversation_members { conversation { session_id: "alice" } '
                       'members { session_id: "bob" name: "Bob" role: "admin" } members { session_id: "ann" } }')),
          expect_frame('id: 7 commit { revision: 4 ids: "bob" ids: "ann" created_count: 2 }'),
          send(request('id: 8 list_conversation_members { conversation { session_id: "alice" } limit: 1 }')),
          "expect: result conversation_members id=8",
          send(request('id: 9 remove_conversation_members { conversation { session_id: "alice" } session_ids: "ann" session_ids: "x" }')),
          expect_frame('id: 9 commit { revision: 5 ids: "ann" ids: "x" deleted_count: 1 }'),
          send(request('id: 10 list_conversation_members { conversation { session_id: "alice" } }')),
          expect_frame('id: 10 conversation_members { members { session_id: "bob" name: "Bob" role: "admin" } }'))
    write("data-archives", ["Archives and restores are sessions; those that do not run are told, and a revision that the store has not come to."],
          "open", send(request('id: 1 begin_archive {}')), "expect: result archive id=1",
          send(request('id: 2 begin_archive { since_revision: 7 }')), "expect: error REVISION_AHEAD id=2",
          send(request('id: 3 begin_archive { recipient_public_keys: "short" }')), "expect: error INVALID_ARGUMENT id=3",
          send(request('id: 4 read_archive { session: 7 }')), "expect: error BLOB_SESSION_NOT_FOUND id=4",
          send(request('id: 5 begin_archive_restore {}')), "expect: error INVALID_ARGUMENT id=5",
          send(request('id: 6 begin_archive_restore { aim: ARCHIVE_AIM_FILL_EMPTY dry_run: true without_digest: true }')),
          "expect: result archive_restore id=6",
          send(request('id: 7 write_archive_restore { session: 7 data: "ghost-archive 1" }')),
          "expect: error BLOB_SESSION_NOT_FOUND id=7",
          send(request('id: 8 finish_archive_restore { session: 7 }')), "expect: error BLOB_SESSION_NOT_FOUND id=8",
          send(request('id: 9 end_archive_session { session: 7 }')), expect_frame("id: 9 archive_session_ended {}"))
    write("data-retention", ["A conversation's retention is told with it; a message has its conversation's timer, or its own; times are bounded."],
          "open", send(request('id: 1 get_or_create_conversation { session_id: "alice" id: "c1" }')),
          "expect: result get_or_create_conversation id=1",
          send(request('id: 2 update_conversation { conversation { id: "c1" } message_timer { lifetime_milliseconds: 86400000 '
                       'start: MESSAGE_TIMER_START_READING } keep_for_milliseconds: 604800000 keep_count: 9 }')),
          expect_frame('id: 2 commit { revision: 2 ids: "c1" updated_count: 1 }'),
          send(request('id: 3 get_conversation { conversation { id: "c1" } }')), "expect: result conversation id=3",
          send(request('id: 4 save_message { message { id: "m1" conversation { id: "c1" } text: "hi" timer {} } }')),
          expect_frame('id: 4 commit { revision: 3 ids: "m1" created_count: 1 }'),
          send(request('id: 5 save_message { message { id: "m2" conversation { id: "c1" } text: "hi" timer { lifetime_milliseconds: 60000 '
                       'start: MESSAGE_TIMER_START_SENDING } } }')),
          expect_frame('id: 5 commit { revision: 4 ids: "m2" created_count: 1 }'),
          send(request('id: 6 get_message { id: "m2" }')), "expect: result message id=6",
          send(request('id: 7 save_message { message { conversation { id: "c1" } text: "hi" timer { lifetime_milliseconds: 60000 } } }')),
          "expect: error INVALID_ARGUMENT id=7",
          send(request('id: 8 update_conversation { conversation { id: "c1" } keep_for_milliseconds: 3162240000001 }')),
          "expect: error INVALID_ARGUMENT id=8",
          send(request('id: 9 update_conversation { conversation { id: "c1" } keep_count: 0 }')),
          expect_frame('id: 9 commit { revision: 5 ids: "c1" updated_count: 1 }'))
    write("data-search", ["A message is found by its words, without regard to case and marks; an unfinished query is taken as it is, an empty one is refused."],
          "open", send(request(f"id: 1 {SAVE}")), expect_frame('id: 1 commit { revision: 2 ids: "m1" created_count: 1 }'),
          send(request('id: 2 search_messages { query: "nothing OR absent" }')), expect_frame("id: 2 found_messages {}"),
          send(request('id: 3 search_messages { query: "nothing OR (" }')), expect_frame("id: 3 found_messages {}"),
          send(request('id: 4 search_messages { query: "a" conversation { session_id: "bob" } }')),
          "expect: error CONVERSATION_NOT_FOUND id=4",
          send(request('id: 5 search_messages { query: "H*" conversation { session_id: "alice" } }')),
          "expect: result found_messages id=5",
          send(request('id: 6 search_conversations { query: "ali" }')), "expect: result conversations id=6",
          send(request('id: 7 search_conversations { query: "NOT alice" }')), expect_frame("id: 7 conversations {}"),
          send(request('id: 8 search_contacts { query: "ali" }')), expect_frame("id: 8 contacts {}"),
          send(request('id: 9 search_contacts { query: "" }')), "expect: error INVALID_ARGUMENT id=9",
          send(request('id: 10 search_messages { query: "H*" order: SEARCH_ORDER_BEST_FIRST }')),
          "expect: result found_messages id=10",
          send(request('id: 11 search_messages { query: "H*" order: 3 }')), "expect: error INVALID_ARGUMENT id=11")
    react = 'message_id: "m1" emoji: "\\360\\237\\221\\215" author_session_id: "bob"'
    write("data-reactions", ["A reaction is counted once for its author, shown with its message, and removed."], "open",
          send(request(f"id: 1 {SAVE}")), expect_frame('id: 1 commit { revision: 2 ids: "m1" created_count: 1 }'),
          send(request(f"id: 2 add_reaction {{ {react} }}")),
          expect_frame('id: 2 commit { revision: 3 ids: "m1" created_count: 1 }'),
          send(request(f"id: 3 add_reaction {{ {react} }}")), expect_frame('id: 3 commit { revision: 3 ids: "m1" }'),
          send(request('id: 4 get_message { id: "m1" }')), "expect: result message id=4",
          send(request('id: 5 list_reactions { message_id: "m1" }')), "expect: result reactions id=5",
          send(request(f"id: 6 remove_reaction {{ {react} }}")),
          expect_frame('id: 6 commit { revision: 4 ids: "m1" deleted_count: 1 }'),
          send(request('id: 7 list_reactions { message_id: "m1" }')), expect_frame("id: 7 reactions {}"),
          send(request('id: 8 add_reaction { message_id: "m1" emoji: "ab" author_session_id: "bob" }')),
          "expect: error INVALID_ARGUMENT id=8",
          send(request('id: 9 add_reaction { message_id: "none" emoji: "x" author_session_id: "bob" }')),
          "expect: error MESSAGE_NOT_FOUND id=9")
    write("data-all-or-none", ["Of several messages none is saved when one cannot be."], "open",
          send(request('id: 1 save_messages { messages { id: "a" conversation { session_id: "s" } } '
                       'messages { id: "b" conversation { id: "none" } } }')),
          "expect: error CONVERSATION_NOT_FOUND id=1",
          send(request('id: 2 get_message { id: "a" }')), "expect: error MESSAGE_NOT_FOUND id=2")


def scenes():
    def change(key, value):
        return f'changes {{ key: "{key}" value {{ {value} }} }}'
    every = " ".join([
        change("string", 'string: "\\303\\251"'), change("integer", "integer: -3"), change("float", "float: 0.5"),
        change("double", "double: 0.25"), change("boolean", "boolean: false"),
        change("url", 'url: "https://example.org/"'), change("data", 'data: "\\000\\377"'),
        change("date", "date_microseconds: 1500000"), change("array", "array { values { integer: 1 } values { array {} } }"),
        change("dictionary", 'dictionary { entries { key: "b" value { boolean: true } } '
               'entries { key: "a" value { string: "" } } }')])
    write("scene-every-kind", ["A value of each kind comes back; a dictionary's entries by the bytes of their keys."],
          "open", send(request(f'id: 1 set_scene_values {{ scene: "main" {every} }}')),
          expect_frame("id: 1 commit { revision: 20 created_count: 10 " + " ".join(f"value_revisions: {n}" for n in range(1, 20, 2)) + " }"),
          send(request('id: 2 get_scene_values { scene: "main" keys: "dictionary" }')), "expect: result scene_values id=2",
          send(request('id: 3 get_scene_values { scene: "main" }')), "expect: result scene_values id=3")
    one = change("k", "integer: 1")
    write("scene-two-tiers", ["A scene without a value of its own has the one another scene set last; removing a key",
          "removes both. Revisions: the scene's own value, then the global one."], "open",
          send(request(f'id: 1 set_scene_values {{ scene: "a" {one} }}')),
          expect_frame("id: 1 commit { revision: 2 created_count: 1 value_revisions: 1 }"),
          send(request('id: 2 list_scenes {}')), "expect: result scenes id=2",
          send(request('id: 3 get_scene_values { scene: "b" }')), "expect: result scene_values id=3",
          send(request('id: 4 set_scene_values { scene: "a" changes { key: "k" } }')),
          expect_frame("id: 4 commit { revision: 4 deleted_count: 1 value_revisions: 0 }"),
          send(request('id: 5 get_scene_values { scene: "b" }')), "expect: result scene_values id=5",
          send(request('id: 6 set_scene_values { scene: "a" changes { key: "k" } }')),
          expect_frame("id: 6 commit { revision: 4 value_revisions: 0 }"))
    write("scene-conditions", ["Compare and set: by absence, then by the revisions that answers tell. A failed one changes nothing."], "open",
          send(request(f'id: 1 set_scene_values {{ scene: "a" {one} conditions {{ key: "k" absent: true }} }}')),
          expect_frame("id: 1 commit { revision: 2 created_count: 1 value_revisions: 1 }"),
          send(request(f'id: 2 set_scene_values {{ scene: "a" {one} conditions {{ key: "k" absent: true }} }}')),
          "expect: error SCENE_CONDITION_FAILED id=2",
          send(request(f'id: 3 set_scene_values {{ scene: "a" {change("k", "integer: 2")} '
                       'conditions { key: "k" revision: 1 } }')),
          expect_frame("id: 3 commit { revision: 4 updated_count: 1 value_revisions: 3 }"),
          send(request('id: 4 get_scene_values { scene: "a" keys: "k" limit: 1 }')), "expect: error INVALID_ARGUMENT id=4",
          send(request(f'id: 5 set_scene_values {{ scene: "a" {change("k", "integer: 3")} '
                       'conditions { key: "k" revision: 3 } }')),
          expect_frame("id: 5 commit { revision: 6 updated_count: 1 value_revisions: 5 }"))
    write("scene-invalid-arguments", ["Requests that parse and make no sense."], "open",
          send(request("id: 1 set_scene_values {}")), "expect: error INVALID_ARGUMENT id=1",
          send(request('id: 2 set_scene_values { scene: "a" }')), "expect: error INVALID_ARGUMENT id=2",
          send(request('id: 3 set_scene_values { scene: "a" changes { key: "k" value {} } }')),
          "expect: error INVALID_ARGUMENT id=3",
          send(request(f'id: 4 set_scene_values {{ scene: "a" global: true {one} }}')),
          "expect: error INVALID_ARGUMENT id=4",
          send(request('id: 5 set_scene_values { scene: "a" changes { key: "k" value { dictionary { '
                       'entries { key: "a" value { integer: 1 } } entries { key: "a" value { integer: 2 } } } } } }')),
          "expect: error INVALID_ARGUMENT id=5",
          send(request('id: 6 remove_scene { scene: "none" }')), "expect: error SCENE_NOT_FOUND id=6",
          send(request('id: 7 watch { scene: "a" conversation_id: "c" }')), "expect: error INVALID_ARGUMENT id=7")
    write("scene-watch", ["A watch of a scene gets its values and the global ones."], "open",
          send(request('id: 1 watch { scene: "a" }')), "expect: more watch_event id=1",
          send(request('id: 2 set_contact_blocked { session_id: "bob" is_blocked: true }')),
          "expect: result commit id=2",
          send(request(f'id: 3 set_scene_values {{ scene: "b" {one} }}')), "expect: more watch_event id=1",
          expect_frame("id: 3 commit { revision: 3 created_count: 1 value_revisions: 2 }"))


def files():
    def path(text, area="DOCUMENT"):
        return f'{{ area: FILE_AREA_{area} path: "{text}" }}'

    def put(origin, place):
        return f"origin {path(origin)} place {path(place)}"
    write("file-save-and-read", ["A file is made with the directories it lies in, read by parts and past its end, appended to, replaced and deleted."],
          "open", send(request(f'id: 1 save_file {{ path {path("a/f")} data: "one" }}')),
          "expect: error PARENT_DIRECTORY_NOT_FOUND id=1",
          send(request(f'id: 2 save_file {{ path {path("a/f")} data: "one" creates_parents: true }}')),
          expect_frame('id: 2 commit { revision: 3 ids: "document/a/f" created_count: 3 }'),
          send(request(f'id: 3 save_file {{ path {path("/a//f/")} data: "one" }}')),
          expect_frame('id: 3 commit { revision: 3 ids: "document/a/f" }'),
          send(request(f'id: 4 append_file {{ path {path("a/f")} data: ", two" }}')),
          expect_frame('id: 4 commit { revision: 4 ids: "document/a/f" updated_count: 1 }'),
          send(request(f'id: 5 read_file {{ path {path("a/f")} offset: 5 byte_count: 2 expected_revision: 4 }}')),
          "expect: result file_data id=5",
          send(request(f'id: 6 read_file {{ path {path("a/f")} expected_revision: 3 }}')), "expect: error FILE_CHANGED id=6",
          send(request(f'id: 7 read_file {{ path {path("a/f")} offset: 100 }}')), "expect: result file_data id=7",
          send(request(f'id: 8 read_file {{ path {path("a")} }}')), "expect: error FILE_NOT_FOUND id=8",
          send(request(f'id: 9 get_file {{ path {path("a")} }}')), "expect: result file id=9",
          send(request(f'id: 10 save_file {{ path {path("a")} data: "one" }}')), "expect: error ALREADY_EXISTS id=10",
          send(request(f'id: 11 delete_file {{ path {path("a")} }}')), "expect: error FILE_NOT_FOUND id=11",
          send(request(f'id: 12 delete_file {{ path {path("a/f")} }}')),
          expect_frame('id: 12 commit { revision: 5 ids: "document/a/f" deleted_count: 1 }'),
          send(request(f'id: 13 get_file {{ path {path("a/f")} }}')), "expect: error FILE_NOT_FOUND id=13")
    write("file-tree", ["Directories are made, listed, copied, moved and removed; errors in the order in which they are looked for."],
          "open", send(request(f'id: 1 create_directory {{ path {path("a/b")} }}')),
          "expect: error PARENT_DIRECTORY_NOT_FOUND id=1",
          send(request(f'id: 2 create_directory {{ path {path("a/b")} creates_parents: true }}')),
          expect_frame('id: 2 commit { revision: 3 ids: "document/a/b" created_count: 3 }'),
          send(request(f'id: 3 create_directory {{ path {path("a/b")} }}')), "expect: error ALREADY_EXISTS id=3",
          send(request(f'id: 4 create_directory {{ path {path("")} }}')), "expect: error ALREADY_EXISTS id=4",
          send(request(f'id: 5 list_files {{ directory {path("a")} limit: 1 }}')), "expect: result files id=5",
          send(request(f'id: 6 list_files {{ directory {path("none")} }}')), "expect: error DIRECTORY_NOT_FOUND id=6",
          send(request(f'id: 7 list_files {{ directory {path("", "CACHE")} }}')), expect_frame("id: 7 files {}"),
          send(request(f'id: 8 copy_file {{ {put("none", "none")} }}')), "expect: error FILE_NOT_FOUND id=8",
          send(request(f'id: 9 copy_file {{ {put("a", "a/b/c")} }}')), "expect: error INVALID_ARGUMENT id=9",
          send(request(f'id: 10 copy_file {{ {put("a", "c/d")} }}')), "expect: error PARENT_DIRECTORY_NOT_FOUND id=10",
          send(request(f'id: 11 copy_file {{ {put("a", "c")} }}')),
          expect_frame('id: 11 commit { revision: 5 ids: "document/c" created_count: 2 }'),
          send(request(f'id: 12 move_file {{ {put("c", "a")} }}')), "expect: error ALREADY_EXISTS id=12",
          send(request(f'id: 13 move_file {{ {put("c", "c")} }}')),
          expect_frame('id: 13 commit { revision: 5 ids: "document/c" }'),
          send(request(f'id: 14 move_file {{ {put("c", "d")} }}')),
          expect_frame('id: 14 commit { revision: 7 ids: "document/d" updated_count: 1 }'),
          send(request(f'id: 15 remove_directory {{ path {path("c")} }}')), "expect: error DIRECTORY_NOT_FOUND id=15",
          send(request(f'id: 16 remove_directory {{ path {path("d")} }}')), "expect: error DIRECTORY_NOT_EMPTY id=16",
          send(request(f'id: 17 remove_directory {{ path {path("d")} with_children: true }}')),
          expect_frame('id: 17 commit { revision: 8 ids: "document/d" deleted_count: 1 }'),
          send(request(f'id: 18 remove_directory {{ path {path("", "CACHE")} with_children: true }}')),
          expect_frame('id: 18 commit { revision: 8 ids: "cache" }'))
    begin = f'begin_file_write {{ path {path("a/f")} place: FILE_WRITE_PLACE'
    write("file-writes", ["Writes in pieces: how they begin, and what is answered where none runs. A write's number is at random."],
          "open", send(request(f"id: 1 {begin}_WHOLE }}")), "expect: error PARENT_DIRECTORY_NOT_FOUND id=1",
          send(request(f"id: 2 {begin}_OFFSET offset: 1 creates_parents: true }}")), "expect: error FILE_NOT_FOUND id=2",
          send(request(f"id: 3 {begin}_UNSPECIFIED creates_parents: true }}")), "expect: error INVALID_ARGUMENT id=3",
          send(request(f"id: 4 {begin}_END creates_parents: true byte_count: 3 }}")), "expect: result file_write id=4",
          send(request(f'id: 5 begin_file_write {{ path {path("")} place: FILE_WRITE_PLACE_WHOLE }}')),
          "expect: error ALREADY_EXISTS id=5",
          send(request('id: 6 write_file { write: 1 data: "one" }')), "expect: error FILE_WRITE_NOT_FOUND id=6",
          send(request("id: 7 finish_file_write { write: 1 }")), "expect: error FILE_WRITE_NOT_FOUND id=7",
          send(request("id: 8 end_file_write { write: 1 }")), expect_frame("id: 8 file_write_ended {}"),
          send(request(f'id: 9 get_file {{ path {path("a/f")} }}')), "expect: error FILE_NOT_FOUND id=9")
    areas = ["CACHE", "DOCUMENT", "LIBRARY", "NOT_SYNCED_LIBRARY", "TEMPORARY"]
    usage = lambda **of: " ".join(f"areas {{ area: FILE_AREA_{area} {of.get(area, '')} }}" for area in areas)
    write("file-usage", ["What areas hold is counted with every change: copies too, and what a removed directory held no more."],
          "open", send(request("id: 1 get_file_usage {}")), expect_frame(f"id: 1 file_usage {{ {usage()} }}"),
          send(request(f'id: 2 save_file {{ path {path("a/f")} data: "one" creates_parents: true }}')),
          "expect: result commit id=2", send(request(f'id: 3 copy_file {{ {put("a", "b")} }}')), "expect: result commit id=3",
          send(request("id: 4 get_file_usage {}")),
          expect_frame(f"id: 4 file_usage {{ {usage(DOCUMENT='file_count: 2 directory_count: 2 byte_count: 6')} }}"),
          send(request(f'id: 5 remove_directory {{ path {path("b")} with_children: true }}')), "expect: result commit id=5",
          send(request("id: 6 get_file_usage {}")),
          expect_frame(f"id: 6 file_usage {{ {usage(DOCUMENT='file_count: 1 directory_count: 1 byte_count: 3')} }}"))
    write("file-paths", ["What is no path, and what is one."], "open",
          send(request("id: 1 get_file {}")), "expect: error INVALID_ARGUMENT id=1",
          send(request('id: 2 get_file { path { path: "a" } }')), "expect: error INVALID_ARGUMENT id=2",
          send(request(f'id: 3 get_file {{ path {path("a/../b")} }}')), "expect: error INVALID_ARGUMENT id=3",
          send(request(f'id: 4 get_file {{ path {path("./a")} }}')), "expect: error INVALID_ARGUMENT id=4",
          send(request(f'id: 5 get_file {{ path {path("a" + chr(92) + "000b")} }}')), "expect: error INVALID_ARGUMENT id=5",
          send(request(f'id: 6 get_file {{ path {path("a" * 256)} }}')), "expect: error INVALID_ARGUMENT id=6",
          send(request(f'id: 7 get_file {{ path {path("a/" * 129)} }}')), "expect: error INVALID_ARGUMENT id=7",
          send(request(f'id: 8 get_file {{ path {path("...")} }}')), "expect: error FILE_NOT_FOUND id=8",
          send(request(f'id: 9 get_file {{ path {path("///")} }}')), "expect: result file id=9")


def logs():
    opened = 'open_log { name: "events" maximum_bytes: 84 overwrites_oldest: false }'
    write("log-append-and-read", ["Messages are numbered from 1 and read in order."], "open",
          send(request('id: 1 open_log { name: "events" maximum_bytes: 200 overwrites_oldest: true }')), "expect: result open_log id=1",
          send(request('id: 2 append_log { name: "events" messages: "one" messages: "two" }')),
          expect_frame("id: 2 append_log { first_sequence: 1 last_sequence: 2 }"),
          send(request('id: 3 append_log { name: "events" maximum_bytes: 200 overwrites_oldest: true messages: "three" }')),
          expect_frame("id: 3 append_log { first_sequence: 3 last_sequence: 3 }"),
          send(request('id: 4 read_log { name: "events" after_sequence: 1 limit: 1 }')),
          "expect: result log_entries id=4", send(request("id: 5 list_logs {}")), "expect: result logs id=5",
          send(request('id: 6 delete_log { name: "events" }')),
          expect_frame('id: 6 commit { revision: 2 ids: "events" deleted_count: 1 }'))
    write("log-metadata", ["Each message has metadata or none, and they use space in the log."], "open",
          send(request("id: 1 " + opened)), "expect: result open_log id=1",
          send(request('id: 2 append_log { name: "events" messages: "a" messages: "b" '
                       'metadata: { data: "c" type: "d" } metadata: {} }')),
          expect_frame("id: 2 append_log { first_sequence: 1 last_sequence: 2 }"),
          send(request('id: 3 append_log { name: "events" messages: "a" messages: "b" metadata: { data: "c" } }')),
          "expect: error INVALID_ARGUMENT id=3",
          send(request('id: 4 append_log { name: "events" messages: "a" metadata: { data: "c" } }')),
          "expect: error LOG_FULL id=4",
          send(request('id: 5 read_log { name: "events" }')), "expect: result log_entries id=5")
    write("log-made-again", ["A follower that names the log it follows is not given the entries of another of its name."], "open",
          send(request("id: 1 " + opened)), "expect: result open_log id=1",
          send(request('id: 2 read_log { name: "events" created_revision: 1 }')), "expect: result log_entries id=2",
          send(request('id: 3 delete_log { name: "events" }')), "expect: result commit id=3",
          send(request("id: 4 " + opened)), "expect: result open_log id=4",
          send(request('id: 5 read_log { name: "events" created_revision: 1 }')), "expect: error LOG_NOT_FOUND id=5",
          send(request('id: 6 read_log { name: "events" created_revision: 3 }')), "expect: result log_entries id=6")
    write("log-refusals", ["What a log does not take, each reason by its own name; nothing of such a request is appended."],
          "open", send(request('id: 1 append_log { name: "none" messages: "a" }')), "expect: error LOG_NOT_FOUND id=1",
          send(request("id: 2 " + opened)), "expect: result open_log id=2",
          send(request('id: 3 append_log { name: "events" messages: "12345678901234567" }')),
          "expect: error LOG_MESSAGE_TOO_LARGE id=3",
          send(request('id: 4 append_log { name: "events" messages: "12345678" messages: "123456789" }')),
          "expect: error LOG_FULL id=4",
          send(request('id: 5 append_log { name: "events" maximum_bytes: 85 messages: "a" }')),
          "expect: error LOG_NOT_WRITABLE id=5",
          send(request('id: 6 append_log { name: "events" messages: "" }')), "expect: error INVALID_ARGUMENT id=6",
          send(request('id: 7 append_log { name: "events" }')), "expect: error INVALID_ARGUMENT id=7",
          send(request('id: 8 open_log { name: "small" maximum_bytes: 63 }')), "expect: error INVALID_ARGUMENT id=8",
          send(request('id: 9 read_log { name: "events" wait_milliseconds: 60001 }')),
          "expect: error INVALID_ARGUMENT id=9",
          send(request('id: 10 append_log { name: "events" messages: "1234567890123456" }')),
          expect_frame("id: 10 append_log { first_sequence: 1 last_sequence: 1 }"))
    write("log-idempotency", ["A repeated append with the same key appends nothing and gets the same numbers."], "open",
          send(request("id: 1 " + opened)), "expect: result open_log id=1",
          send(request('id: 2 idempotency_key: "12345678" append_log { name: "events" messages: "a" }')),
          expect_frame("id: 2 append_log { first_sequence: 1 last_sequence: 1 }"),
          send(request('id: 3 idempotency_key: "12345678" append_log { name: "events" messages: "a" }')),
          expect_frame("id: 3 append_log { first_sequence: 1 last_sequence: 1 is_replayed: true }"))
    write("log-wait", ["A read that waits holds nothing up, and is answered without messages when its time is over."], "open",
          send(request("id: 1 " + opened)), "expect: result open_log id=1",
          send(request('id: 2 read_log { name: "events" wait_milliseconds: 500 }')), send(PING[3]), PONG[3],
          "expect: result log_entries id=2")


def watching():
    write("watch-live", ["A watch tells where it stands, then follows; cancel ends it with a last, empty event."], "open",
          send(request("id: 1 watch {}")), "expect: more watch_event id=1",
          send(request('id: 2 set_contact_blocked { session_id: "bob" is_blocked: true }')),
          "expect: more watch_event id=1", "expect: result commit id=2",
          send(request("id: 3 cancel { request_id: 1 }")), "expect: result watch_event id=1",
          expect_frame("id: 3 cancel {}"))
    write("watch-replay", ["A watch from revision 0 replays everything."], "open",
          send(request(f"id: 1 {SAVE}")), "expect: result commit id=1",
          send(request("id: 2 watch { after_revision: 0 }")), "expect: more watch_event id=2")
    write("watch-same-id", ["Two watches of one connection have different ids."], "open",
          send(request("id: 1 watch {}")), "expect: more watch_event id=1",
          send(request("id: 1 watch {}")), "expect: error REQUEST_ID_IN_USE id=1")
    write("watch-revision-ahead", ["A revision the store has not reached: it is not the store that was watched."], "open",
          send(request("id: 1 watch { after_revision: 50 }")), "expect: error REVISION_AHEAD id=1",
          send(request("id: 2 list_changes { after_revision: 50 }")), "expect: error REVISION_AHEAD id=2")
    write("watch-compacted", ["A revision that is no longer kept."], "open",
          send(request(f"id: 1 {SAVE}")), "expect: result commit id=1",
          send(request("id: 2 compact_changes { through_revision: 1 }")),
          expect_frame("id: 2 compact_changes { compacted_through_revision: 1 }"),
          send(request("id: 3 watch { after_revision: 0 }")), "expect: error CHANGES_COMPACTED id=3",
          send(request("id: 4 list_changes { after_revision: 0 }")), "expect: error CHANGES_COMPACTED id=4")
    kinds = " ".join(33 * ["kinds: ENTITY_KIND_MESSAGE"])
    write("watch-filters", ["A watch and a list take the same filters; of kinds at most 32, and not a conversation and a scene."],
          "open", send(request(f"id: 1 {SAVE}")), "expect: result commit id=1",
          send(request(f"id: 2 watch {{ {kinds} }}")), "expect: error REQUEST_TOO_LARGE id=2",
          send(request(f"id: 3 list_changes {{ {kinds} }}")), "expect: error REQUEST_TOO_LARGE id=3",
          send(request('id: 4 list_changes { conversation_id: "c" scene: "s" }')), "expect: error INVALID_ARGUMENT id=4",
          send(request("id: 5 list_changes { kinds: ENTITY_KIND_MESSAGE }")), "expect: result changes id=5")
    other = 'history_id: "0123456789abcdef"'
    write("watch-history-changed", ["What names another history than the store's is refused: here every kind of call does."], "open",
          send(request(f"id: 1 {other} watch {{ after_revision: 0 }}")), "expect: error HISTORY_CHANGED id=1",
          send(request(f"id: 2 {other} list_changes {{}}")), "expect: error HISTORY_CHANGED id=2",
          send(request(f"id: 3 {other} {SAVE}")), "expect: error HISTORY_CHANGED id=3",
          send(request('id: 4 get_message { id: "m1" }')), "expect: error MESSAGE_NOT_FOUND id=4",
          send(request(f'id: 5 {other} set_scene_values {{ scene: "a" changes {{ key: "k" }} }}')),
          "expect: error HISTORY_CHANGED id=5",
          send(request(f'id: 6 {other} get_scene_values {{ scene: "a" }}')), "expect: error HISTORY_CHANGED id=6",
          send(request(f'id: 7 {other} read_log {{ name: "events" wait_milliseconds: 500 }}')),
          "expect: error HISTORY_CHANGED id=7",
          send(request(f"id: 8 {other} ping {{}}")), "expect: error HISTORY_CHANGED id=8",
          send(request(f"id: 9 {other} lock {{}}")), "expect: error HISTORY_CHANGED id=9",
          send(request('id: 10 history_id: "short" ping {}')), "expect: error INVALID_ARGUMENT id=10", send(PING[2]), PONG[2])
    write("watch-history-unknown", ["While no store is open there is no history that a request could be about."], "locked",
          send(request(f"id: 1 {other} ping {{}}")), "expect: error STORE_LOCKED id=1", send(PING[2]), PONG[2])
    write("watch-ends-with-lock", ["Locking the store ends watches."], "open",
          send(request("id: 1 watch {}")), "expect: more watch_event id=1",
          send(request("id: 2 lock {}")), "expect: error STORE_LOCKED id=1", expect_frame("id: 2 lock {}"))


def blobs():
    unknown = "BLOB_SESSION_NOT_FOUND"
    write("blob-export", ["An export begins with its size; of an unknown conversation there is none."], "open",
          send(request("id: 1 " + SAVE)), "expect: result commit id=1",
          send(request('id: 2 begin_blob_export { conversation { session_id: "alice" } }')),
          "expect: result blob_export id=2",
          send(request('id: 3 begin_blob_export { conversation { session_id: "nobody" } }')),
          "expect: error CONVERSATION_NOT_FOUND id=3",
          send(request('id: 4 begin_blob_export { conversation { session_id: "alice" } passphrase { kind: KEY_SLOT_KIND_PASSPHRASE '
                       'value: "p" } recipient_public_key: "k" }')), "expect: error INVALID_ARGUMENT id=4",
          send(request('id: 5 begin_blob_export { conversation { session_id: "alice" } recipient_public_key: "k" }')),
          "expect: error INVALID_ARGUMENT id=5")
    write("blob-import", ["An import needs a conversation and an id, unless it is a dry run."], "open",
          send(request("id: 1 begin_blob_import { dry_run: true }")), "expect: result blob_import id=1",
          send(request('id: 2 begin_blob_import { import_id: "i" }')), "expect: error INVALID_ARGUMENT id=2",
          send(request('id: 3 begin_blob_import { conversation { session_id: "alice" } }')),
          "expect: error INVALID_ARGUMENT id=3",
          send(request('id: 4 begin_blob_import { conversation { id: "none" } import_id: "i" }')),
          "expect: error CONVERSATION_NOT_FOUND id=4")
    write("blob-session-unknown", ["Sessions that do not run. Ending one is no error."], "open",
          send(request("id: 1 read_blob_export { session: 1 }")), f"expect: error {unknown} id=1",
          send(request('id: 2 write_blob_import { session: 1 data: "d" }')), f"expect: error {unknown} id=2",
          send(request("id: 3 finish_blob_import { session: 1 }")), f"expect: error {unknown} id=3",
          send(request("id: 4 end_blob_session { session: 1 }")), expect_frame("id: 4 blob_session_ended {}"))


for part in (frames, payloads, service, keys, data, scenes, files, logs, blobs, watching):
    part()
