import Glibc
import StoreBasics
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

    /// - Parameter others: the options that name the secret, for whom there is no terminal.
    static func prompt(_ text: String, kind: KeySlotKind, or others: String) throws -> SecretInput {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw CommandFailure(
                .usage,
                "no terminal to ask for the secret on; hint: give it with \(others)")
        }
        defer { close(terminal) }
        // The library switches the echo off while it asks.
        return try SignalEnding.restoring(terminal: terminal) {
            try SecretInput(kind: kind, prompt: text + ": ")
        }
    }

    /// Bytes that a typed passphrase has at least. What comes from a file or a descriptor is only warned about: it may
    /// be for a test.
    private static let passphraseBytesMin = 8

    /// Says so when a passphrase is one that is soon guessed by whoever gets the file.
    static func warned(_ secret: consuming SecretInput) -> SecretInput {
        if secret.kind == .passphrase, secret.byteCount < passphraseBytesMin {
            Diagnostics.warn("the passphrase has fewer than \(passphraseBytesMin) bytes: it is soon guessed")
        }
        return secret
    }

    /// Asked for twice: nobody sees what is typed, and nobody could open the store after a slip.
    ///
    /// - Parameter others: the options that name it, for whom there is no terminal.
    static func newPassphrase(or others: String) throws -> SecretInput {
        var first = try prompt("New passphrase", kind: .passphrase, or: others)
        for _ in 1..<Confirmation.triesMax where first.byteCount < passphraseBytesMin {
            Diagnostics.write("a passphrase has at least \(passphraseBytesMin) bytes; four words are a good one")
            first = try prompt("New passphrase", kind: .passphrase, or: others)
        }
        guard first.byteCount >= passphraseBytesMin else {
            throw CommandFailure(
                .badData, "the passphrase is too short: nothing was changed; hint: \(others) takes any")
        }
        let second = try prompt("The same again", kind: .passphrase, or: others)
        guard first.hasSameBytes(as: second) else {
            throw CommandFailure(.badData, "the two passphrases differ; nothing was changed")
        }
        return first
    }
}

/// A question to the person at the terminal, wherever standard input comes from.
enum Confirmation {
    private static let answerBytesMax = 256
    /// How often a person is asked for what was not right.
    static let triesMax = 3

    /// Whether a person is there to be asked: at both ends of the command is a terminal.
    static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    }

    static func ask(_ question: String) throws(CommandFailure) -> String {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw CommandFailure(.usage, "no terminal to ask on; hint: --yes does it without asking")
        }
        defer { close(terminal) }
        var answer: [UInt8] = []
        do throws(SystemError) {
            try FileDescriptorCalls.write(terminal, Array(question.utf8))
            _ = try FileDescriptorCalls.readSome(terminal, appendingTo: &answer, bytesMax: answerBytesMax)
        } catch {
            throw CommandFailure(.inputOutput, "cannot ask on the terminal: \(error)")
        }
        let line = answer.prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self)
    }
}
