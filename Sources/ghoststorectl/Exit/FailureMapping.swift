import StoreClient

/// From the errors of the libraries to the way this program exits.
enum FailureMapping {
    /// False for what ArgumentParser throws to ask for help or to refuse the command line.
    static func isOurs(_ error: any Error) -> Bool {
        error is CommandFailure || error is StoreClientError || error is CancellationError
    }

    static func failure(of error: any Error) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: failure
        case let error as StoreClientError: failure(of: error)
        case is CancellationError: CommandFailure(.temporary, "interrupted")
        default: CommandFailure(.internalFailure, "unexpected: \(error)")
        }
    }

    static func failure(of error: StoreClientError) -> CommandFailure {
        CommandFailure(status(of: error), error.description)
    }

    private static func status(of error: StoreClientError) -> ExitStatus {
        switch error.reason {
        case .socketAbsent, .daemonUnreachable: return .unavailable
        case .wrongKey, .blobSecretWrong: return .wrongKey
        case .blobDamaged: return .damaged
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
        // What is used up and does not come back by itself: key slots, backups, watches.
        case .failedPrecondition, .alreadyExists, .resourceExhausted: .precondition
        case .dataLoss: .damaged
        case .unavailable, .deadlineExceeded, .aborted, .cancelled: .temporary
        case .internal, .unknown: .internalFailure
        case .unimplemented: .failure
        }
    }
}

extension StoreClientError.Reason {
    fileprivate static let frameTooLarge = Self(rawValue: "FRAME_TOO_LARGE")
}
