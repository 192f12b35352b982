import Logging
import StoreBasics
import StoreProtocol

/// What somebody did to the store as a whole, or was refused. Holds no content and no name that a caller chose.
struct AuditEntry: Sendable, Hashable {
    enum Outcome: String, Sendable, Hashable {
        /// It was done.
        case done
        /// It was begun and came to an error.
        case failed
        /// It was not begun.
        case refused
    }

    let kind: AuditKind
    /// `nil` for what names no known call.
    var call: CallKind?
    let outcome: Outcome
    var reason: ErrorReason?
    let uid: UInt32
    /// For people: it may be another process' by now. `nil` where several are meant.
    var pid: Int32?
    /// The key slot it was about, or that the secret opened.
    var slot: Int?
    /// Entries of this user that were left out; of the kind `suppressed` only.
    var count: Int?

    /// A call of the kind that needs the right of administration, carried out.
    static func administration(
        _ call: CallKind, by caller: Caller, slot: Int?, failure: ErrorReason?
    ) -> AuditEntry {
        AuditEntry(
            kind: failure.flatMap { refusalKind($0, call: call) } == .secretRefused ? .secretRefused : .administration,
            call: call, outcome: failure.map { $0.isBeforeTheWork ? .refused : .failed } ?? .done, reason: failure,
            uid: caller.uid, pid: caller.pid, slot: slot)
    }

    /// A request, or a connection, that was refused; `nil` for an error that is nothing to remember.
    static func refusal(_ reason: ErrorReason, call: CallKind?, by caller: Caller) -> AuditEntry? {
        guard let kind = refusalKind(reason, call: call) else { return nil }
        return AuditEntry(kind: kind, call: call, outcome: .refused, reason: reason, uid: caller.uid, pid: caller.pid)
    }

    /// Returns what a refusal of a call is. A store that the daemon's own key does not open answers WRONG_KEY to every
    /// call; only a call that may carry a secret can have brought a wrong one.
    private static func refusalKind(_ reason: ErrorReason, call: CallKind?) -> AuditKind? {
        if reason == .wrongKey, let call, !SecretWire.mayCarrySecrets(call: call.rawValue) {
            return nil
        }
        return AuditKind(refusal: reason)
    }

    static func suppressed(_ count: Int, ofUser uid: UInt32) -> AuditEntry {
        AuditEntry(kind: .suppressed, outcome: .refused, uid: uid, count: count)
    }

    /// Returns `.notice` for administration that was done, and for administration that found no store yet, which is
    /// expected: `ghoststorectl init` lists the key slots first. Returns `.warning` for all other entries.
    var level: Logger.Level {
        kind == .administration && (outcome == .done || reason == .storeAbsent) ? .notice : .warning
    }
}

extension ErrorReason {
    /// What is found before the work is begun, and never later.
    fileprivate var isBeforeTheWork: Bool {
        switch self {
        case .unlockThrottled, .deadlineExceeded, .historyChanged, .queueFull: true
        default: false
        }
    }
}

/// What an entry is about. docs/operations.md lists them.
package enum AuditKind: String, Sendable, Hashable, CaseIterable {
    case administration
    case permissionDenied = "permission denied"
    case secretRefused = "secret refused"
    case limitReached = "limit reached"
    case malformed = "malformed request"
    /// Further entries of one user were left out.
    case suppressed = "entries left out"

    /// By what the journal tells the kinds apart (`journalctl MESSAGE_ID=…`): never changed, never reused.
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

    /// What a refusal with this reason is; `nil` for a failure that says nothing about the caller.
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
