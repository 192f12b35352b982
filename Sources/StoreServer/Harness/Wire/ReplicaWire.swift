import FoundationEssentials
import ReplicaModel
import StoreBasics
import StoreEngine
import StoreProtocol

extension ReplicaReason {
    init(_ wait: ReplicaWait) {
        switch wait {
        case .deviceUnknown: self = .deviceUnknown
        case .epochUnknown: self = .epochUnknown
        case .earlierMessage: self = .earlierMessageMissing
        case .otherBatch: self = .otherBatchMissing
        case .snapshot: self = .snapshotAwaited
        case .laterVersion: self = .laterVersion
        case .timeAhead: self = .timeAhead
        case .membership: self = .notAMember
        }
    }

    init(_ refusal: ReplicaRefusal) {
        switch refusal {
        case .malformed: self = .malformed
        case .forged: self = .forged
        case .otherGroup: self = .otherGroup
        case .otherChannel: self = .otherChannel
        case .forked: self = .forked
        case .notOpened: self = .notOpened
        case .deviceRemoved: self = .deviceRemoved
        case .invitationOver: self = .invitationOver
        case .notAwaited: self = .notAwaited
        }
    }
}

extension ReplicaHandedIn {
    /// The reason why the message waits or was refused; `nil` if it was merged.
    var reason: ReplicaReason? {
        switch self {
        case .merged: nil
        case .waits(let wait): ReplicaReason(wait)
        case .refused(let refusal): ReplicaReason(refusal)
        }
    }
}

extension ReplicaChannel {
    init(wire text: String) throws(StoreError) {
        guard let channel = ReplicaChannel(text: text) else {
            throw .invalidArgument(
                "the channel is not valid; its form is device.DEVICE, snapshot.ID, join.ID.request or join.ID.welcome")
        }
        self = channel
    }
}

extension ReplicaSelection {
    init(wire texts: [String]) throws(StoreError) {
        var rules: [Rule] = []
        for (index, text) in texts.enumerated() {
            guard let rule = Rule(text: text) else {
                let areas = Area.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalidArgument(
                    "replication rule \(index + 1) is not valid; write AREA or AREA:PATTERN; the areas are "
                        + "\(areas), and a pattern has letters, digits and . _ - / *")
            }
            rules.append(rule)
        }
        guard let selection = ReplicaSelection(rules) else {
            guard rules.isEmpty else {
                let rulesMax = Self.rulesMax
                throw StoreError.tooMany(rules.count, "replication rules", countMax: rulesMax)
            }
            throw .invalidArgument("the request has no replication rules; give 1 to \(Self.rulesMax)")
        }
        self = selection
    }
}

extension WireHandInReplicaMessageResponse {
    init(_ handedIn: ReplicaHandedIn) {
        self.init()
        reason = handedIn.reason?.rawValue ?? ""
        switch handedIn {
        case .merged(let next):
            outcome = .merged
            nextSequence = next
        case .waits(let wait):
            outcome = .waits
            if case .earlierMessage(let sequence) = wait {
                nextSequence = sequence
            }
        case .refused:
            outcome = .refused
        }
    }
}
