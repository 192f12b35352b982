import Logging
import StoreBasics
import StoreProtocol

/// A record of an administration call, a refusal or a reached limit. It contains no stored data and no name that a
/// caller chose.
struct AuditEntry: Sendable, Hashable {
    enum Outcome: String, Sendable, Hashable {
        /// The work was completed.
        case done
        /// The work began and failed.
        case failed
        /// The work did not begin.
        case refused
    }

    let kind: AuditKind
    /// `nil` if the request named no known call.
    var call: CallKind?
    let outcome: Outcome
    var reason: ErrorReason?
    let uid: UInt32
    /// The process of the caller. It is information for people only, because the system may reuse the number for
    /// another process. `nil` if the entry is about several processes.
    var pid: Int32?
    /// The key slot that the call was about, or that the secret opened.
    var slot: Int?
    /// The number of entries of this user that were left out. Only entries of the kind `suppressed` have it.
    var count: Int?

    /// Returns the entry for a call that needs the right of administration, after its success or failure.
    static func administration(
        _ call: CallKind, by caller: Caller, slot: Int?, failure: ErrorReason?
    ) -> AuditEntry {
        AuditEntry(
            kind: failure.flatMap { refusalKind($0, call: call) } == .secretRefused ? .secretRefused : .administration,
            call: call, outcome: failure.map { $0.isBeforeTheWork ? .refused : .failed } ?? .done, reason: failure,
            uid: caller.uid, pid: caller.pid, slot: slot)
    }

    /// Returns the entry for a refused request or connection; `nil` if the error is not relevant to the audit log.
    static func refusal(_ reason: ErrorReason, call: CallKind?, by caller: Caller) -> AuditEntry? {
        guard let kind = refusalKind(reason, call: call) else { return nil }
        return AuditEntry(kind: kind, call: call, outcome: .refused, reason: reason, uid: caller.uid, pid: caller.pid)
    }

    /// Returns the kind of entry for the refusal of a call. WRONG_KEY counts as a wrong secret only for a call that may
    /// carry a secret. Every other call also fails with WRONG_KEY while the daemon's own key does not open the store.
    private static func refusalKind(_ reason: ErrorReason, call: CallKind?) -> AuditKind? {
        if reason == .wrongKey, let call, !SecretWire.mayCarrySecrets(call: call.rawValue) {
            return nil
        }
        return AuditKind(refusal: reason)
    }

    static func suppressed(_ count: Int, ofUser uid: UInt32) -> AuditEntry {
        AuditEntry(kind: .suppressed, outcome: .refused, uid: uid, count: count)
    }

    /// The log level. It is `.notice` for administration that succeeded, and for administration that found no store
    /// yet, which is expected because `ghoststorectl init` lists the key slots first. It is `.warning` for all other
    /// entries.
    var level: Logger.Level {
        kind == .administration && (outcome == .done || reason == .storeAbsent) ? .notice : .warning
    }
}

extension ErrorReason {
    /// True for errors that occur only before the work begins.
    fileprivate var isBeforeTheWork: Bool {
        switch self {
        case .unlockThrottled, .deadlineExceeded, .historyChanged, .queueFull: true
        default: false
        }
    }
}

/// The kind of an entry. docs/operations.md lists the kinds.
package enum AuditKind: String, Sendable, Hashable, CaseIterable {
    case administration
    case permissionDenied = "permission denied"
    case secretRefused = "secret refused"
    case limitReached = "limit reached"
    case malformed = "malformed request"
    /// Further entries of one user were left out, because the user was over the limit.
    case suppressed = "entries left out"

    /// The message ID by which the journal distinguishes the kinds (`journalctl MESSAGE_ID=…`). It is never changed and
    /// never reused.
    package var messageID: String {
        switch self {
        case .administration: "135d0bc7dbf64b11b13e4ee89b153536"
        case .permissionDenied: "57a0b312735740c6af7cbb11d698428d"
        case .secretRefused: "b48f59e11ce44e11bdcc4871670f4b4b"
        case .limitReached: "0c1173d86efe470eb68d549160b36083"
        case .malformed: "c7fe9fe29bc649ab8f594be59c0c5207"
        case .suppressed: "b94523a38257494d821b39c03a8fb0ec"
        }
    }

    /// Creates the kind of a refusal with this reason; `nil` for a reason that the audit log does not contain.
    init?(refusal reason: ErrorReason) {
        if reason == .permissionDenied {
            self = .permissionDenied
        } else if Self.secretReasons.contains(reason) {
            self = .secretRefused
        } else if Self.formReasons.contains(reason) {
            self = .malformed
        } else if reason.code == .resourceExhausted, reason != .diskFull {
            self = .limitReached
        } else {
            return nil
        }
    }

    private static let secretReasons: Set<ErrorReason> = [
        .wrongKey, .blobSecretWrong, .archiveSecretWrong, .unlockThrottled,
    ]
    private static let formReasons: Set<ErrorReason> = [
        .frameEmpty, .frameTruncated, .frameTimeout, .requestMalformed, .callUnknown,
    ]
}
