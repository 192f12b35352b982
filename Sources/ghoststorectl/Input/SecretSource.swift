import Glibc
import StoreClient

/// Ways to get a secret, with what a person should be told about each.
enum SecretSource {
    static func file(_ path: String, kind: KeySlotKind) throws -> SecretInput {
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o077 != 0 {
            Diagnostics.warn("other users may read \(path); hint: chmod 600 \(path)")
        }
        return try SecretInput(kind: kind, file: path)
    }

    static func prompt(_ text: String, kind: KeySlotKind) throws -> SecretInput {
        guard TerminalGuard.isThereATerminal else {
            throw CommandFailure(.usage, "no terminal to ask for the secret; hint: give it by file or descriptor")
        }
        return try TerminalGuard.restoringOnSignal {
            try SecretInput(kind: kind, prompt: text + ": ")
        }
    }

    /// Asked for twice: nobody sees what is typed, and nobody could open the store after a slip.
    static func newPassphrase() throws -> SecretInput {
        let first = try prompt("New passphrase", kind: .passphrase)
        let second = try prompt("The same again", kind: .passphrase)
        guard first.hasSameBytes(as: second) else {
            throw CommandFailure(.badData, "the two passphrases differ; nothing was changed")
        }
        return first
    }
}
