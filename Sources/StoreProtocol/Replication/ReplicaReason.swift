/// Why a message of a group's log waits or was refused: `HandInReplicaMessageResponse.reason` on the wire;
/// proto-docs/ERRORS.md lists them all. Words are added within v1, never renamed or removed.
package enum ReplicaReason: String, Hashable, Sendable, CaseIterable {
    // Waits
    case deviceUnknown = "DEVICE_UNKNOWN"
    case epochUnknown = "EPOCH_UNKNOWN"
    case earlierMessageMissing = "EARLIER_MESSAGE_MISSING"
    case snapshotAwaited = "SNAPSHOT_AWAITED"
    case laterVersion = "LATER_VERSION"
    case notAMember = "NOT_A_MEMBER"
    case timeAhead = "TIME_AHEAD"
    // Was refused
    case malformed = "MALFORMED"
    case forged = "FORGED"
    case otherGroup = "OTHER_GROUP"
    case otherChannel = "OTHER_CHANNEL"
    case forked = "FORKED"
    case notOpened = "NOT_OPENED"
    case deviceRemoved = "DEVICE_REMOVED"
    case invitationOver = "INVITATION_OVER"
    case notAwaited = "NOT_AWAITED"

    /// Its place among all reasons, below their number: for tables with a row for each.
    package var position: Int { Self.inOrder.firstIndex(of: self) ?? 0 }

    private static let inOrder = allCases

    /// The message is to be handed in again later.
    package var isWait: Bool {
        switch self {
        case .deviceUnknown, .epochUnknown, .earlierMessageMissing, .snapshotAwaited, .laterVersion, .notAMember,
            .timeAhead:
            true
        case .malformed, .forged, .otherGroup, .otherChannel, .forked, .notOpened, .deviceRemoved, .invitationOver,
            .notAwaited:
            false
        }
    }
}
