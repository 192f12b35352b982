import CNats

/// Takes the messages of one subject in their order, from a place that the servers keep: one that is killed goes on
/// where its last acknowledgement was. What waits longer than a limit for being settled comes again.
///
/// Sendable, because libnats guards a subscription by a lock of its own, and it lives as long as what uses it.
package final class SubjectFollower: @unchecked Sendable {
    /// Held, because the subscription is the connection's.
    private let connection: StreamConnection
    private let subscription: OpaquePointer
    private let queue: BlockingQueue
    package let place: FollowerPlace

    init(_ connection: StreamConnection, _ subscription: OpaquePointer, _ place: FollowerPlace) {
        self.connection = connection
        self.subscription = subscription
        self.place = place
        queue = BlockingQueue("follower")
    }

    deinit {
        connection.retire(subscription)
    }

    /// Takes what is there, at once, or waits for the first. Empty when none came in time.
    ///
    /// - Parameters:
    ///   - countMax: above 0.
    ///   - bytesMax: one message is taken in any case, as long as it is no larger than the stream allows.
    package func fetch(
        countMax: Int, bytesMax: Int, wait: Duration
    ) async throws(TransportError) -> [DeliveredMessage] {
        try await queue.run { () throws(TransportError) in
            try self.fetchBlocking(countMax: countMax, bytesMax: bytesMax, wait: wait)
        }
    }

    /// A request of several waits until it has them all. So the first waits for one, which tells how many there are
    /// behind it.
    private func fetchBlocking(
        countMax: Int, bytesMax: Int, wait: Duration
    ) throws(TransportError) -> [DeliveredMessage] {
        let messages = try request(countMax: 1, bytesMax: bytesMax, wait: wait, waitsForMessages: true)
        guard let first = messages.first, countMax > 1, first.byteCount < bytesMax else { return messages }
        // What comes again is not among what is to be delivered, so it is asked for and not waited for long.
        let more = first.deliveries > 1 ? countMax - 1 : Int(min(UInt64(countMax - 1), first.pending))
        guard more > 0 else { return messages }
        let others = try? request(
            countMax: more, bytesMax: bytesMax - first.byteCount,
            wait: first.deliveries > 1 ? Self.redeliveryTime : Self.answerTime, waitsForMessages: false)
        return messages + (others ?? [])
    }

    /// How long the servers may take for messages that are there.
    private static let answerTime = Duration.seconds(2)
    private static let redeliveryTime = Duration.milliseconds(100)

    private func request(
        countMax: Int, bytesMax: Int, wait: Duration, waitsForMessages: Bool
    ) throws(TransportError) -> [DeliveredMessage] {
        var request = jsFetchRequest()
        jsFetchRequest_Init(&request)
        request.Batch = Int32(clamping: countMax)
        request.MaxBytes = Int64(bytesMax)
        request.Expires = wait.nanoseconds
        request.NoWait = !waitsForMessages
        var list = natsMsgList()
        let status = natsSubscription_FetchRequest(&list, subscription, &request)
        defer { natsMsgList_Destroy(&list) }
        var messages: [DeliveredMessage] = []
        for index in 0..<Int(max(0, list.Count)) {
            guard let message = list.Msgs?[index] else { continue }
            list.Msgs[index] = nil
            messages.append(DeliveredMessage(owning: message, of: self))
        }
        // What came before something went wrong is taken; it goes wrong again.
        let isNothing = status == NATS_TIMEOUT || status == NATS_NOT_FOUND && !waitsForMessages
        guard status == NATS_OK || isNothing || !messages.isEmpty else {
            throw TransportError(status, "messages were not fetched")
        }
        return messages
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
                try check(status, "a message was not settled")
            }
        }
    }

    /// Whether the servers still know the place: where they do not, nothing comes and nothing is said.
    ///
    /// - Throws: `TransportError`, with code `.followerMissing` or `.streamMissing` where it is gone.
    package func checkPlace() async throws(TransportError) {
        let (connection, place) = (connection, place)
        try await connection.queue.run { () throws(TransportError) in
            guard try connection.hasPlace(place) else {
                throw TransportError(.followerMissing, "the place of a follower is gone from the servers")
            }
        }
    }
}
