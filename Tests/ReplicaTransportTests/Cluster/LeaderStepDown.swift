import CNats

@testable import ReplicaTransport

extension StreamConnection {
    /// Makes another server the stream's leader. Has no effect if there is no leader.
    func askLeaderToStepDown(of stream: String) async throws(TransportError) {
        try await queue.run { () throws(TransportError) in
            var answer: OpaquePointer?
            let subject = "$JS.API.STREAM.LEADER.STEPDOWN.\(stream)"
            let status = natsConnection_RequestString(&answer, self.connection, subject, "", 2_000)
            natsMsg_Destroy(answer)
            guard status == NATS_OK || status == NATS_TIMEOUT || status == NATS_NO_RESPONDERS else {
                throw TransportError(status, "the leader could not be asked to step down")
            }
        }
    }
}
