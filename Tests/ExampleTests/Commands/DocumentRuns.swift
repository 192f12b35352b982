extension DocumentRun {
    /// Every document with commands, except those in `runElsewhere`.
    static let all = [
        commandLine, operations, upgrading, tutorial, attachments, messageFiles, files, units, readme, replication,
        troubleshooting, importing,
        DocumentRun(path: "docs/alarms.md", isInRepository: true),
        DocumentRun(path: "CONTRIBUTING.md", isInRepository: true),
        DocumentRun(
            path: "docs/performance.md", isInRepository: true,
            replacements: [("performance.json docs/pictures", "performance.json \"$ROOT\"")]),
        DocumentRun(path: "clients/python/README.md", isInRepository: true),
    ]

    /// Documents whose commands another test runs, with the name of that test.
    static let runElsewhere = [
        "proto-docs/SCRIPTING.md": "ShellExampleTests", "proto-docs/STORE.md": "StoreDocumentTests",
    ]

    private static let asking = "--passphrase-file \"$PASSPHRASE\""

    /// A shell function that runs a command against a second daemon, whose store does not exist yet.
    private static let onNewStore = #"""
        on_new_store() {
            GHOSTSTORE_ALLOW_LOW_COST_KEYS=true ghoststored --state-directory "$ROOT/other" \
                --socket "$ROOT/other.socket" >/dev/null 2>&1 &
            until [ -S "$ROOT/other.socket" ]; do sleep 0.05; done
            ghoststorectl "$@" --socket "$ROOT/other.socket"
            kill $! && wait $! || true
        }

        """#

    private static let commandLine = DocumentRun(
        path: "docs/cli.md",
        replacements: [
            ("watch 05alice", "watch 05alice --after 0 --count 1"),
            ("rlwrap -g '^ ' -s -300 ghoststorectl shell", "ghoststorectl shell"),
            ("ghoststorectl unlock                                        # asks", "unlock_again \(asking)"),
            ("ghoststorectl unlock --passphrase-fd", "unlock_again --passphrase-fd"),
            ("ghoststorectl init", "on_new_store init \(asking) --low-cost"),
            ("doctor --skip backups", "doctor --skip backups || [ $? -eq 7 ]"),
            ("doctor --quiet", "doctor --quiet || [ $? -eq 7 ]"),
            ("--if-revision 7", "--if-revision \"$(revision_of user_age)\""),
            ("--since 4711", "--since 1"),
            ("follow events --json", "follow events --json --timeout 1 || [ $? -eq 75 ]"),
            ("messages follow --json", "messages follow --json --after 0 --count 1"),
            ("jq .revision > last", "jq 0 > last"),
            ("\"$(cat last-revision)\"", "\"$(cat last-revision)\" --count 1"),
            ("alice.sealed --passphrase ", "alice.sealed \(asking) "),
            ("/run/ghoststore/socket", "$GHOSTSTORE_SOCKET"),
            ("> /etc", "> \"$ROOT\"/etc"),
        ],
        preparation: onNewStore + #"""
            echo stats > commands.txt
            unlock_again() { ghoststorectl lock; ghoststorectl unlock "$@"; }
            revision_of() { ghoststorectl scenes get main --json | jq "select(.key == \"$1\") | .revision"; }
            id=019ab3c4-5d6e-7f80-9abc-def012345678
            echo "{\"getOrCreateConversation\": {\"sessionId\": \"05carol\", \"id\": \"$id\"}}" | ghoststorectl rpc
            echo '{"getStatus": {}}' > requests.jsonl
            for name in pair other; do openssl genpkey -algorithm X25519 -out $name.secret; done
            openssl pkey -in pair.secret -pubout -out public.pem
            openssl pkey -in other.secret -pubout -out other.pem
            (umask 077; openssl pkey -in pair.secret -outform DER | tail -c 32 > secret.key; echo secret > secret)
            recipient=age1 fpath=("$ROOT" "$ROOT")
            head -c 1000 /dev/zero > picture.png
            cp "$REPO/Tests/Fixtures/blobstorage/two-languages.blob" messages.blob
            echo '{"id": 1, "messages": []}' > result.json
            echo '{"user": "alice"}' > event.json
            touch received.jsonl messages.csv
            mkdir -p ~/notes ~/.config/fish/completions "$ROOT/etc/bash_completion.d"
            echo one > ~/notes/one.txt
            """#)

    private static let operations = DocumentRun(
        path: "docs/operations.md",
        replacements: [
            ("/etc/credstore", "$ROOT/etc/credstore"), ("/mnt/backups", "$ROOT"),
            ("ghoststore-key   # asks", "ghoststore-key \(asking) # asks"),
            ("/var/lib/prometheus/node-exporter/", "$ROOT/etc/"),
        ], preparation: "mkdir -p \"$ROOT/etc\"")

    /// Runs the commands that change the state directory on copies of it.
    private static let troubleshooting = DocumentRun(
        path: "docs/troubleshooting.md",
        replacements: [
            ("/var/lib/ghoststore", "$ROOT/state"), ("/etc/credstore", "$ROOT/etc/credstore"),
            ("/mnt/backups/ghoststore.backup", "$ROOT/copy.backup"),
            ("sudo ghoststorectl unlock\n", "ghoststorectl lock; ghoststorectl unlock \(asking)\n"),
            ("ghoststore-key   # asks", "ghoststore-key \(asking) # asks"),
            ("rescue.archive --passphrase ", "rescue.archive \(asking) "),
            ("verify rescue.archive --passphrase\n", "verify rescue.archive \(asking)\n"),
            ("ghoststorectl doctor", "ghoststorectl doctor || [ $? -eq 7 ]"),
            ("replication status", "replication status || [ $? -eq 3 ]"),
        ],
        preparation: #"""
            mkdir -p "$ROOT/state" "$ROOT/etc"
            touch "$ROOT/state/keyring" "$ROOT/state/keyring.previous"
            ghoststorectl messages save 05alice hello --outgoing --status sent
            ghoststorectl files put -p "$PASSPHRASE" document/notes/one.txt
            ghoststorectl backup create --output "$ROOT/copy.backup"
            """#)

    /// Runs the `ghoststore-import` of this repository on small exports.
    private static let importing = DocumentRun(
        path: "docs/import.md",
        preparation: #"""
            ghoststore-import() { PYTHONPATH="$REPO/clients/python/src" python3 -m ghoststore.importing "$@"; }
            mkdir ChatExport attachments
            echo '{"name": "Ann", "type": "personal_chat", "id": 1, "messages": []}' > ChatExport/result.json
            echo '24.12.20, 18:30 - Ann: hello' > 'WhatsApp Chat mit Bob.txt'
            python3 -m zipfile -c chat.zip 'WhatsApp Chat mit Bob.txt'
            echo '{"envelope": {"source": "+49", "timestamp": 1, "dataMessage": {"message": "hello"}}}' > received.jsonl
            echo '{"room_name": "Room", "messages": []}' > export.json
            printf 'From a Thu Jan  1 00:00:00 2026\nFrom: b@example.org\nTo: ann@example.org\n\nhello\n' > archive.mbox
            """#)

    private static let units = DocumentRun(
        path: "systemd/README.md",
        replacements: [
            ("/etc/credstore", "$ROOT/etc/credstore"), ("ghoststorectl init", "on_new_store init \(asking) --low-cost"),
            ("--new-credential", "\(asking) --new-credential"),
        ], preparation: onNewStore + "mkdir -p \"$ROOT/etc\"")

    private static let upgrading = DocumentRun(
        path: "docs/upgrading.md", replacements: [("/mnt/backups", "$ROOT"), ("--ask", asking)])

    /// Runs in the repository. The tests' programs are not in the folder that `make release` writes, so that folder is
    /// replaced.
    private static let tutorial = DocumentRun(
        path: "docs/tutorial.md", isInRepository: true,
        replacements: [("$PWD/.build/release", "$BIN")])

    /// Shell code that defines the functions of SCRIPTING.md.
    private static let calling = """
        functions=$(awk '/^```sh/ { inside = 1; next } /^```/ { inside = 0 } inside' "$REPO/proto-docs/SCRIPTING.md" \\
            | sed -n '/^encode()/,/^call()/p')
        eval "$functions"
        """

    private static let attachments = DocumentRun(
        path: "proto-docs/ATTACHMENTS.md", isInRepository: true, preparation: calling)
    private static let files = DocumentRun(path: "proto-docs/FILES.md", isInRepository: true, preparation: calling)
    private static let messageFiles = DocumentRun(path: "proto-docs/BLOBS.md")

    /// `ReadmeCommandTests` compares the output of the first block of the README.
    private static let readme = DocumentRun(
        path: "README.md", isInRepository: true,
        replacements: [
            ("sudo ghoststorectl init", "on_new_store init \(asking) --low-cost"), ("$PWD/.build/release", "$BIN"),
            ("error &\nsleep 1", "error &\nuntil ghoststorectl status >/dev/null 2>&1; do sleep 0.05; done"),
            ("| grep hello", "| (! grep hello)"),
        ], preparation: onNewStore)

    private static let replication = DocumentRun(
        path: "docs/replication.md",
        replacements: [
            (" /etc/ghoststore/", " \"$ROOT\"/etc/ghoststore/"), ("/etc/credstore", "\"$ROOT\"/etc/credstore"),
            (
                "ghoststore-sync --check-config",
                "ghoststore-sync --config \"$ROOT/etc/ghoststore/ghoststore-sync.yaml\" --check-config"
            ),
        ],
        preparation: #"""
            mkdir -p "$ROOT/etc/ghoststore" && cp "$REPO"/config/*.yaml "$ROOT/etc/ghoststore"
            echo name:password > nats-credentials
            """#)
}
