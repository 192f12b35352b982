import ReplicaTransport

extension MessageIdentity {
    /// Creates the identity of a message whose content does not matter.
    init(channel: String, sequence: UInt64) {
        self.init(channel: channel, sequence: sequence, bytes: [])
    }
}
