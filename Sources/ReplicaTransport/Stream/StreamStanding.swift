import CNats

/// The content of a stream and the state of the servers that store it.
package struct StreamStanding: Sendable, Hashable {
    /// The name of the leader, the server that accepts messages; `nil` if there is no leader now.
    package let leader: String?
    /// The number of servers that should store the stream, including the leader.
    package let replicas: Int
    /// The number of servers whose copy of the stream is up to date, including the leader.
    package let replicasCurrent: Int
    package let messages: UInt64
    package let bytes: UInt64
    package let firstSequence: UInt64
    package let lastSequence: UInt64
}

extension StreamConnection {
    package func standing(of stream: String) async throws(TransportError) -> StreamStanding {
        try await queue.run { () throws(TransportError) in
            var information: UnsafeMutablePointer<jsStreamInfo>?
            var code = jsErrCode(rawValue: 0)
            let status = js_GetStreamInfo(&information, self.context, stream, nil, &code)
            defer { jsStreamInfo_Destroy(information) }
            guard status == NATS_OK, let found = information?.pointee else {
                throw TransportError(status, error: code, "the stream could not be examined")
            }
            let others = (0..<Int(max(0, found.Cluster?.pointee.ReplicasLen ?? 0))).compactMap {
                found.Cluster?.pointee.Replicas?[$0]?.pointee
            }
            let leader = found.Cluster?.pointee.Leader.map { String(cString: $0) }
            return StreamStanding(
                leader: leader.flatMap { $0.isEmpty ? nil : $0 }, replicas: 1 + others.count,
                replicasCurrent: 1 + others.count { $0.Current && !$0.Offline }, messages: found.State.Msgs,
                bytes: found.State.Bytes, firstSequence: found.State.FirstSeq, lastSequence: found.State.LastSeq)
        }
    }
}
