import CNats

/// Takes the messages of one subject in their order, from a place that the servers keep: one that is killed goes on
/// where its last acknowledgement was. What waits longer than a limit for being settled comes again.
///
/// Sendable, because libnats guards a subscription by a lock of its own, it lives as long as what uses it, and all else
/// that changes is used on the queue alone.
package final class SubjectFollower: @unchecked Sendable {
    /// Held, because the subscription is the connection's.
    let connection: StreamConnection
    let subscription: OpaquePointer
    let queue: BlockingQueue
    package let place: FollowerPlace
    /// Used on the queue alone.
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

    /// Says what becomes of messages. Where that gets lost they come again.
    package func settle(_ settlements: [(DeliveredMessage, Settlement)]) async throws(TransportError) {
        try await queue.run { () throws(TransportError) in
            for (message, settlement) in settlements {
                let status =
                    switch settlement {
                    case .acknowledged: natsMsg_Ack(message.pointer, nil)
                    case .later(let delay): natsMsg_NakWithDelay(message.pointer, delay.milliseconds, nil)
                    }
                try check(status, "a message could not be acknowledged or delayed")
            }
        }
    }

    /// Whether the servers still know the place and deliver from it, asked when nothing has come for long: where they
    /// do not, nothing is said. nats-server 2.9 has places that stall for good when a server is killed at a bad moment.
    ///
    /// - Throws: `TransportError`, with code `.followerMissing` or `.streamMissing` where it is gone, or messages wait.
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
