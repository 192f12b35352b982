#!/usr/bin/env bash
# Saves a message and reads it back, with only socat, protoc, xxd and coreutils.
#
# Usage: Examples/socat-save-and-read.sh [SESSION_ID [TEXT]]
#   GHOSTSTORE_SOCKET   the daemon's socket; default: /run/ghoststore/socket
#
# Prints the message that it reads. Exits with 1 if the daemon returns an error or another text.
# proto-docs/SCRIPTING.md explains each step.
set -euo pipefail

socket=${GHOSTSTORE_SOCKET:-/run/ghoststore/socket}
session_id=${1:-05socat}
text=${2:-written by a shell: “quotes”, emoji 👻 and a \\ backslash}
protos=$(cd "$(dirname "$0")/../proto-docs" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Converts the text form of a Request on standard input to bytes.
encode() {
    protoc --proto_path="$protos" --encode=ghoststore.v1.Request ghoststore/v1/service.proto
}

# Converts the bytes of a Response on standard input to the text form.
decode() {
    protoc --proto_path="$protos" --decode=ghoststore.v1.Response ghoststore/v1/service.proto
}

# Converts a payload on standard input to a frame: the length in four bytes, the most significant byte first, then the
# payload.
frame() {
    cat >"$scratch/payload"
    printf '%08x' "$(stat --format=%s "$scratch/payload")" | xxd -r -p
    cat "$scratch/payload"
}

# Sends a request in text form and prints the response in text form. At the end of its input, socat closes its sending
# side and waits up to 30 seconds for the answer. The daemon answers and closes the connection.
call() {
    encode | frame | socat -t 30 - "UNIX-CONNECT:$socket" | tail --bytes=+5 | decode
}

# Escapes any bytes for a string in protobuf's text form.
quoted() {
    printf '%s' "$1" | xxd -p | tr -d '\n' | sed 's/../\\x&/g'
}

# Prints the bytes of the first string field NAME in a text form.
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
