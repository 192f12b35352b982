import ReplicaTransport

extension MessageIdentity {
    /// For messages of which the content does not matter.
    init(channel: String, sequence: UInt64) {
        self.init(channel: channel, sequence: sequence, bytes: [])
    }
}
