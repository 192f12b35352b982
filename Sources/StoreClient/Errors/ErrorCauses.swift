import Glibc
import StoreBasics
import StoreProtocol
import SwiftProtobuf

/// Errors of calls that received no answer.
extension StoreClientError {
    /// Creates the error of a call that ended without an answer.
    ///
    /// - Parameter fault: The known fault of the connection.
    init(_ failure: ConnectionMachine.Failure, fault: StoreClientError?, configuration: ClientConfiguration) {
        let cause = fault.map { "; \($0.message)" } ?? ""
        switch failure {
        case .connectionLost:
            self.init(
                code: .unavailable, reason: .connectionLost,
                message: "the connection ended before the answer; the call may or may not have had an effect\(cause)",
                isRetryable: true)
        case .answerUnreadable:
            self = .answerUnreadable("the answer cannot be read; the call may or may not have had an effect\(cause)")
        case .unreachable:
            self = fault ?? .closedWithoutAnswer
        case .deadlineExceeded(let wasSent):
            self.init(
                code: .deadlineExceeded, reason: .deadlineExceeded,
                message: wasSent
                    ? "the deadline passed before the answer; the call may or may not have had an effect\(cause)"
                    : "the deadline passed before the call could be sent\(cause)",
                isRetryable: true)
        case .cancelled(let wasSent):
            self.init(
                code: .cancelled, reason: .cancelled,
                message: wasSent
                    ? "the task was cancelled before the answer; the call may or may not have had an effect"
                    : "the task was cancelled before the call was sent")
        case .tooManyWaiting:
            self.init(
                code: .resourceExhausted, reason: .tooManyWaitingCalls,
                message: """
                    \(configuration.waitingCallsMax) calls are already waiting; hint: wait until some of them have \
                    ended
                    """,
                isRetryable: true)
        case .closed:
            self.init(code: .unavailable, reason: .clientClosed, message: "the client is closed")
        }
    }

    /// The error without the note that the effect is unknown, for a call that changes nothing.
    var withoutEffect: StoreClientError {
        StoreClientError(
            code: code, reason: reason,
            message: message.replacing("; the call may or may not have had an effect", with: ""),
            isRetryable: isRetryable, details: details)
    }

    static func requestTooLarge(bytes: Int, bytesMax: Int) -> StoreClientError {
        StoreClientError(
            code: .resourceExhausted, reason: .requestTooLarge,
            message: "the request has \(bytes) bytes; the daemon accepts at most \(bytesMax); hint: send it in parts")
    }

    static func invalidArgument(_ message: String) -> StoreClientError {
        StoreClientError(code: .invalidArgument, reason: .invalidArgument, message: message)
    }

    static func answerUnreadable(_ message: String) -> StoreClientError {
        StoreClientError(code: .internal, reason: .answerUnreadable, message: message)
    }

    static let closedWithoutAnswer = StoreClientError(
        code: .unavailable, reason: .daemonUnreachable, message: "the daemon closed the connection without an answer",
        isRetryable: true)

    static func connectionBroken(_ message: String) -> StoreClientError {
        StoreClientError(
            code: .unavailable, reason: .connectionLost, message: "the connection broke: \(message)",
            isRetryable: true)
    }
}

/// Errors of the operating system in this process.
extension StoreClientError {
    init(_ what: String, _ error: SystemError) {
        self.init(
            code: error.number == EACCES || error.number == EPERM ? .permissionDenied : .unavailable,
            reason: .inputOutputFailed, message: "\(what): \(error)")
    }
}

/// Errors in the daemon's answers.
extension StoreClientError {
    static func frameUnreadable(_ fault: FrameFault) -> StoreClientError {
        switch fault {
        case .empty: .answerUnreadable("the daemon sent a frame of length 0")
        case .tooLarge(let bytes, let bytesMax):
            .answerUnreadable("the daemon sent a frame of \(bytes) bytes; the limit is \(bytesMax)")
        }
    }

    init(_ wire: WireError) {
        self.init(
            code: Code(rawValue: wire.code.rawValue) ?? .unknown, reason: Reason(rawValue: Self.printable(wire.reason)),
            message: Self.printable(wire.message), isRetryable: wire.retryable, details: wire.details)
    }

    /// Returns the text of another process for logs and terminals. Characters that control a terminal, or that are
    /// invisible, are replaced.
    static func printable(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy(isPrintable) else { return text }
        var printable = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            printable.append(isPrintable(scalar) ? scalar : "\u{FFFD}")
        }
        return String(printable)
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }

    /// Decodes the error in a serialized Response.
    init(answer payload: [UInt8]) throws(StoreClientError) {
        guard let response = try? WireResponse(serializedBytes: payload), case .error(let error) = response.result
        else { throw .answerUnreadable("the daemon sent bytes that are not a response") }
        self.init(error)
    }
}
