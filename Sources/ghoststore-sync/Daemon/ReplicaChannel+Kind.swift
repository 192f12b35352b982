import ReplicaModel

extension ReplicaChannel {
    /// What the metrics tell channels apart by.
    enum Kind: String, Sendable, CaseIterable {
        case device
        case join
        case snapshot
    }

    var kind: Kind {
        switch self {
        case .device: .device
        case .joinRequest, .joinWelcome: .join
        case .snapshot: .snapshot
        }
    }
}
