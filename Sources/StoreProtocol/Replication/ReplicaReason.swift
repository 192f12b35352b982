/// The reason for which a message of a group's stream must wait or was rejected: `HandInReplicaMessageResponse.reason`
/// in the protocol. proto-docs/ERRORS.md lists them all. Reasons may be added within v1, but never renamed or removed.
package enum ReplicaReason: String, Hashable, Sendable, CaseIterable {
    // The message must wait
    case deviceUnknown = "DEVICE_UNKNOWN"
    case epochUnknown = "EPOCH_UNKNOWN"
    case earlierMessageMissing = "EARLIER_MESSAGE_MISSING"
    case otherBatchMissing = "OTHER_BATCH_MISSING"
    case snapshotAwaited = "SNAPSHOT_AWAITED"
    case laterVersion = "LATER_VERSION"
    case notAMember = "NOT_A_MEMBER"
    case timeAhead = "TIME_AHEAD"
    // The message was rejected
    case malformed = "MALFORMED"
    case forged = "FORGED"
    case otherGroup = "OTHER_GROUP"
    case otherChannel = "OTHER_CHANNEL"
    case forked = "FORKED"
    case notOpened = "NOT_OPENED"
    case deviceRemoved = "DEVICE_REMOVED"
    case invitationOver = "INVITATION_OVER"
    case notAwaited = "NOT_AWAITED"

    /// The index of the reason in the list of all reasons. Tables with one row for each reason use it.
    package var position: Int { Self.inOrder.firstIndex(of: self) ?? 0 }

    private static let inOrder = allCases

    /// True if the message should be sent to the daemon again later.
    package var isWait: Bool {
        switch self {
        case .deviceUnknown, .epochUnknown, .earlierMessageMissing, .otherBatchMissing, .snapshotAwaited, .laterVersion,
            .notAMember, .timeAhead:
            true
        case .malformed, .forged, .otherGroup, .otherChannel, .forked, .notOpened, .deviceRemoved, .invitationOver,
            .notAwaited:
            false
        }
    }
}
