import StoreClient

/// The only error type of this program. It contains the exit status and the message. Messages are in lower case: first
/// the cause, then a hint.
struct CommandFailure: Error {
    let status: ExitStatus
    let message: String
    /// The code and reason of the daemon's or client library's error, if it caused the failure.
    let answer: (code: String, reason: String)?

    init(_ status: ExitStatus, _ message: String, answer: (code: String, reason: String)? = nil) {
        self.status = status
        self.message = message
        self.answer = answer
    }

    /// The message as a line for standard error, with the code and reason of the error that caused it.
    var line: String {
        message + (answer.map { $0.code == $0.reason ? " [\($0.code)]" : " [\($0.code) \($0.reason)]" } ?? "")
    }

    /// The message without the hint.
    var cause: String {
        String(message[..<(message.firstRange(of: "; hint: ")?.lowerBound ?? message.endIndex)])
    }

    /// The text after `; hint: `; `nil` if the message has no hint.
    var hint: String? {
        message.firstRange(of: "; hint: ").map { String(message[$0.upperBound...]) }
    }

    /// Returns the failure with another hint and with a changed cause.
    func advising(_ hint: String, _ cause: (String) -> String = { $0 }) -> CommandFailure {
        CommandFailure(status, "\(cause(self.cause)); hint: \(hint)", answer: answer)
    }

    /// Returns the failure with a changed message.
    func saying(_ change: (String) -> String) -> CommandFailure {
        CommandFailure(status, change(message), answer: answer)
    }

    /// Returns the failure for `--quiet` with an option that needs more than names.
    static func namesOnly(without option: String) -> CommandFailure {
        CommandFailure(.usage, "--quiet prints names only; hint: leave out \(option) or --quiet")
    }

    /// The failure of a command that Ctrl-C ended. `ghoststorectl shell` reads the next command after it.
    static let interrupted = CommandFailure(.interrupted, "interrupted")

    /// The failure as an interruption, in words for people; `nil` if no interruption caused it.
    var asInterruption: CommandFailure? {
        if answer?.reason == StoreClientError.Reason.cancelled.rawValue {
            // If the call was sent before the interruption, the end of the error message says that the effect of the
            // call is unknown.
            let consequence = message.firstRange(of: "; the call may ").map { String(message[$0.lowerBound...]) } ?? ""
            return Self.interrupted.saying { $0 + consequence }
        }
        return status == .interrupted || message == Self.interrupted.message ? .interrupted : nil
    }

    /// The failure if the reader of standard output went away. It has no message, because the output has no reader.
    static let brokenPipe = CommandFailure(.brokenPipe, "")
}

/// The exit status of the process. Scripts depend on the numbers, so a number never changes its meaning.
///
/// The numbers from 64 up come from sysexits.h (https://man7.org/linux/man-pages/man3/sysexits.h.3head.html).
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    case failure = 1
    case notFound = 2
    case precondition = 3
    case damaged = 4
    case wrongKey = 5
    case declined = 6
    case found = 7
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case internalFailure = 70
    case cannotCreate = 73
    case inputOutput = 74
    case temporary = 75
    case permission = 77
    case configuration = 78
    case interrupted = 130
    case brokenPipe = 141

    /// The explanation in one line, for `--help` and docs/cli.md.
    var explanation: String {
        switch self {
        case .success: "done"
        case .failure: "the daemon returned an error that has no exit status of its own"
        case .notFound: "no such entry: for example, the message, file or backup does not exist"
        case .precondition: "not possible now: for example, the store is locked or a log is full"
        case .damaged: "the store, the keyring, a backup or an input file is damaged"
        case .wrongKey: "the secret does not open the store, the backup or the sealed file"
        case .declined: "the command asked for confirmation and did not get it"
        case .found: "doctor found a problem"
        case .usage: "the command line is wrong"
        case .badData: "the input is malformed or too large, or the daemon refused a value"
        case .noInput: "an input file cannot be read"
        case .unavailable: "the daemon cannot be reached"
        case .internalFailure: "a fault of ghoststorectl or of the daemon"
        case .cannotCreate: "an output file cannot be created"
        case .inputOutput: "reading or writing failed"
        case .temporary: "try again later: the daemon is busy or slow, or the disk is full"
        case .permission: "the access rules do not allow this user to run the command"
        case .configuration: "a configuration file or an environment variable is wrong"
        case .interrupted: "ended by Ctrl-C; another signal gives 128 plus its number"
        case .brokenPipe: "the program that reads standard output has ended; no message is printed"
        }
    }

    /// The table of all exit statuses for the text of `--help`.
    static var helpText: String {
        let lines = allCases.map { status in
            let number = String(status.rawValue)
            return "  " + String(repeating: " ", count: max(0, 3 - number.count)) + number + "  " + status.explanation
        }
        return "EXIT STATUS:\n" + lines.joined(separator: "\n")
    }
}

/// Converts errors of libraries into failures of this program.
enum FailureMapping {
    static func failure(of error: any Error) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: failure
        case let error as StoreClientError: failure(of: error)
        case is CancellationError: CommandFailure(.temporary, "interrupted")
        default: CommandFailure(.internalFailure, "unexpected: \(error)")
        }
    }

    static func failure(of error: StoreClientError) -> CommandFailure {
        CommandFailure(status(of: error), error.message, answer: (error.code.name, error.reason.rawValue))
    }

    private static func status(of error: StoreClientError) -> ExitStatus {
        switch error.reason {
        case .socketAbsent, .daemonUnreachable: return .unavailable
        case .wrongKey, .blobSecretWrong, .archiveSecretWrong: return .wrongKey
        case .blobDamaged, .archiveDamaged: return .damaged
        case .inputOutputFailed: return .noInput
        case .connectionLost, .deadlineExceeded, .cancelled: return .temporary
        case .answerUnreadable: return .internalFailure
        case .jsonUnreadable: return .badData
        case .sceneConditionFailed: return .precondition
        case .requestTooLarge, .responseTooLarge, .frameTooLarge: return .badData
        default: break
        }
        if error.isRetryable {
            return .temporary
        }
        return switch error.code {
        case .notFound: .notFound
        case .permissionDenied, .unauthenticated: .permission
        case .invalidArgument, .outOfRange: .badData
        // `resourceExhausted` means a limit that stays reached until something is removed: key slots, backups or
        // watches.
        case .failedPrecondition, .alreadyExists, .resourceExhausted: .precondition
        case .dataLoss: .damaged
        case .unavailable, .deadlineExceeded, .aborted, .cancelled: .temporary
        case .internal, .unknown: .internalFailure
        case .unimplemented: .failure
        }
    }
}

extension StoreClientError.Reason {
    /// The kind of entry that does not exist; `nil` for any other reason.
    var missingKind: String? {
        switch self {
        case .conversationNotFound: "conversation"
        case .messageNotFound: "message"
        case .contactNotFound: "contact"
        case .sceneNotFound: "scene"
        case .logNotFound: "log"
        case .fileNotFound: "file"
        case .directoryNotFound: "directory"
        case .keySlotNotFound: "key slot"
        case .backupNotFound: "backup"
        case .replicaDeviceNotFound: "device"
        default: nil
        }
    }
}
