#!/usr/bin/env bash
# Saves a message and reads it back with nothing but socat, protoc, xxd and coreutils.
#
# Usage: Examples/socat-save-and-read.sh [SESSION_ID [TEXT]]
#   GHOSTSTORE_SOCKET   the daemon's socket; default: /run/ghoststore/socket
#
# Prints the message as it was read. Exits with 1 when the daemon answers an error or another text.
# proto-docs/SCRIPTING.md explains each step.
set -euo pipefail

socket=${GHOSTSTORE_SOCKET:-/run/ghoststore/socket}
session_id=${1:-05socat}
text=${2:-written by a shell: “quotes”, emoji 👻 and a \\ backslash}
protos=$(cd "$(dirname "$0")/../proto-docs" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Text form of a Request on standard input → its bytes.
encode() {
    protoc --proto_path="$protos" --encode=ghoststore.v1.Request ghoststore/v1/service.proto
}

# Bytes of a Response on standard input → its text form.
decode() {
    protoc --proto_path="$protos" --decode=ghoststore.v1.Response ghoststore/v1/service.proto
}

# Payload on standard input → frame: its length as four bytes, most significant first, then the payload.
frame() {
    cat >"$scratch/payload"
    printf '%08x' "$(stat --format=%s "$scratch/payload")" | xxd -r -p
    cat "$scratch/payload"
}

# One request in text form → one response in text form. socat closes its sending side at the end of its input and
# waits (-t) for the answer; the daemon answers, then closes.
call() {
    encode | frame | socat -t 30 - "UNIX-CONNECT:$socket" | tail --bytes=+5 | decode
}

# Any bytes → the inside of a string of protobuf's text form.
quoted() {
    printf '%s' "$1" | xxd -p | tr -d '\n' | sed 's/../\\x&/g'
}

# The first string field NAME of a text form → its bytes.
field() {
    local escaped
    escaped=$(sed -n "s/^ *$1: \"\(.*\)\"\$/\1/p" | head -n 1 | sed "s/\\\\\([\"']\)/\1/g")
    printf '%b' "$escaped"
}

fail() {
    echo "$1" >&2
    exit 1
}

answer=$(call <<REQUEST
id: 1
save_message {
  message {
    conversation { session_id: "$(quoted "$session_id")" }
    text: "$(quoted "$text")"
    is_outgoing: true
  }
}
REQUEST
)
case $answer in
    *"commit {"*) ;;
    *) fail "the daemon refused to save: $answer" ;;
esac
message_id=$(field ids <<<"$answer")

answer=$(call <<<"id: 2 get_message { id: \"$(quoted "$message_id")\" }")
[ "$(field text <<<"$answer")" = "$text" ] || fail "another text came back: $answer"
echo "$answer"
