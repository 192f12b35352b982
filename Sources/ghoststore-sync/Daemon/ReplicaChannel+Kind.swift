import ReplicaModel

extension ReplicaChannel {
    /// The kind of a channel, by which metrics are labeled.
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
