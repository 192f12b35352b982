import Glibc
import StoreBasics
import StoreClient

/// The sources of a secret, each with the warnings that a person needs.
enum SecretSource {
    /// - Parameter path: The path of the file; '-' is standard input.
    static func file(_ path: String, kind: KeySlotKind) throws -> SecretInput {
        let file = try InputFile(path)
        var facts = stat()
        let isRegular = fstat(file.descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
        if path != "-", isRegular, facts.st_mode & 0o077 != 0 {
            Diagnostics.warn("other users may read \(path); hint: chmod 600 \(path)")
        }
        return try read(file.descriptor, kind, named: file.name)
    }

    /// - Parameter number: The number of a descriptor that was open when the program started.
    static func descriptor(_ number: Int32, kind: KeySlotKind) throws -> SecretInput {
        try StandardInput.refuseShells(number)
        return try read(number, kind, named: "the descriptor \(number)")
    }

    private static func read(_ descriptor: Int32, _ kind: KeySlotKind, named name: String) throws -> SecretInput {
        let secret = try SecretInput(kind: kind, readingFrom: descriptor) { descriptor throws(StoreClientError) in
            try orCancelled { () throws(CommandFailure) in try ShellInterrupts.wait(for: descriptor) }
        }
        if secret.endedInCarriageReturn, kind == .passphrase {
            Diagnostics.warn(
                "\(name) ends in a carriage return, as in files from Windows; the carriage return is not used"
            )
        }
        return secret
    }

    private static func orCancelled(_ wait: () throws(CommandFailure) -> Void) throws(StoreClientError) {
        do throws(CommandFailure) {
            try wait()
        } catch {
            throw StoreClientError(code: .cancelled, reason: .cancelled, message: error.message)
        }
    }

    /// - Parameter options: The options of the command that give the secret without a prompt.
    static func prompt(_ text: String, kind: KeySlotKind, insteadOf options: String) throws -> SecretInput {
        let terminal = ProgramRun.current.openTerminal()
        guard terminal >= 0 else {
            throw CommandFailure(.usage, "there is no terminal to ask for the secret on; hint: give it with \(options)")
        }
        defer { close(terminal) }
        // The library switches off the echo while it asks.
        return try TerminalHold.during(terminal, text + ": ") {
            try SecretInput(kind: kind, prompt: text + ": ") { terminal throws(StoreClientError) in
                try orCancelled { () throws(CommandFailure) in try ShellInterrupts.waitForKeys(at: terminal) }
            }
        }
    }

    /// The smallest size of a typed passphrase in bytes. A shorter one from a file or a descriptor only causes a
    /// warning, because it may be for a test.
    private static let passphraseBytesMin = 8

    /// Warns if the passphrase is so short that an attacker with the store's files could soon guess it.
    static func warned(_ secret: consuming SecretInput) -> SecretInput {
        if secret.kind == .passphrase, secret.byteCount < passphraseBytesMin {
            Diagnostics.warn("the passphrase has fewer than \(passphraseBytesMin) bytes: it is easy to guess")
        }
        return secret
    }

    /// Asks twice for a new passphrase. The passphrase is not shown while it is typed, so after an unnoticed typing
    /// error the person could not open the store.
    static func newPassphrase(insteadOf options: String) throws -> SecretInput {
        var first = try prompt("New passphrase", kind: .passphrase, insteadOf: options)
        for _ in 1..<Confirmation.triesMax where first.byteCount < passphraseBytesMin {
            Diagnostics.write("a passphrase needs at least \(passphraseBytesMin) bytes; four random words are good")
            first = try prompt("New passphrase", kind: .passphrase, insteadOf: options)
        }
        guard first.byteCount >= passphraseBytesMin else {
            throw CommandFailure(
                .badData, "the passphrase is too short; nothing was changed; hint: \(options) accepts any length")
        }
        let second = try prompt("New passphrase again", kind: .passphrase, insteadOf: options)
        guard first.hasSameBytes(as: second) else {
            throw CommandFailure(.badData, "the two passphrases differ; nothing was changed")
        }
        return first
    }
}
