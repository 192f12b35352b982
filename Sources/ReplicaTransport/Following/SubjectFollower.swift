import CNats

/// Receives the messages of one subject in their order. The servers store the position, so that a restarted follower
/// continues after its last acknowledgement. A message that is not acknowledged within a time limit is delivered again.
///
/// @unchecked Sendable because libnats protects a subscription by a lock of its own, the subscription exists as long as
/// its users, and all other state that changes is used only on the queue.
package final class SubjectFollower: @unchecked Sendable {
    /// Kept because the subscription belongs to the connection.
    let connection: StreamConnection
    let subscription: OpaquePointer
    let queue: BlockingQueue
    package let place: FollowerPlace
    /// True if messages were requested ahead. Used only on the queue.
    var hasAskedAhead = false

    init(_ connection: StreamConnection, _ subscription: OpaquePointer, _ place: FollowerPlace) {
        self.connection = connection
        self.subscription = subscription
        self.place = place
        queue = BlockingQueue("follower")
    }

    deinit {
        connection.retire(subscription)
    }

    /// Acknowledges or delays messages. If an acknowledgement is lost, the message is delivered again.
    package func acknowledgeOrDelay(_ settlements: [(DeliveredMessage, Settlement)]) async throws(TransportError) {
        try await queue.run { () throws(TransportError) in
            for (message, settlement) in settlements {
                guard let pointer = message.library?.pointer else { continue }
                let status =
                    switch settlement {
                    case .acknowledged: natsMsg_Ack(pointer, nil)
                    case .later(let delay): natsMsg_NakWithDelay(pointer, delay.milliseconds, nil)
                    }
                try check(status, "a message could not be acknowledged or delayed")
            }
        }
    }

    /// Checks that the consumer still exists and delivers messages. Call it when no message has arrived for long,
    /// because the servers do not report a lost consumer. In nats-server 2.9 a consumer may also stall for good if a
    /// server is killed at a bad moment.
    ///
    /// - Throws: `TransportError`, with code `.followerMissing` if the consumer was deleted or does not deliver waiting
    ///   messages, and with code `.streamMissing` if the stream was deleted.
    package func checkPlace() async throws(TransportError) {
        let (connection, place) = (connection, place)
        try await connection.queue.run { () throws(TransportError) in
            guard let waiting = try connection.waiting(at: place) else {
                throw TransportError(
                    .followerMissing,
                    """
                    the server no longer has the agent's JetStream consumer of a channel
                    """)
            }
            guard waiting == 0 else {
                throw TransportError(.followerMissing, "the server delivers none of the waiting messages of a channel")
            }
        }
    }
}
