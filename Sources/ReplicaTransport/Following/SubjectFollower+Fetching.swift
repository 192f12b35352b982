import CNats

/// Fetching, one message for each call of libnats: up to 3.4 its `_fetch` counts down the number that it compares with,
/// and writes behind the end of its list where more than half of the messages, and not all, have come unasked or for an
/// earlier request, which a server can make come at any time. What waits is asked for ahead, so that it is there when
/// its turn comes.
extension SubjectFollower {
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

    /// How long the servers may take for messages that are there.
    private static let answerTime = Duration.seconds(2)
    private static let redeliveryTime = Duration.milliseconds(100)
    /// Whatever they send: what has come is to be handed in before it counts as unsettled.
    private static let fetchTimeMax = Duration.seconds(10)

    private func fetchBlocking(
        countMax: Int, bytesMax: Int, wait: Duration
    ) throws(TransportError) -> [DeliveredMessage] {
        guard let first = try first(bytesMax: bytesMax, wait: wait) else { return [] }
        // What comes again is not among what is to be delivered, so it is asked for and not waited for long.
        let isAgain = first.deliveries > 1
        let more = isAgain ? countMax - 1 : Int(min(UInt64(countMax - 1), first.pending))
        guard more > 0, first.byteCount < bytesMax else { return [first] }
        askAhead(more, bytesMax: bytesMax - first.byteCount)
        let (wait, end) = (isAgain ? Self.redeliveryTime : Self.answerTime, ContinuousClock.now + Self.fetchTimeMax)
        var messages = [first]
        var bytes = first.byteCount
        // What came before something goes wrong is taken; it goes wrong again.
        while messages.count <= more, bytes < bytesMax, ContinuousClock.now < end,
            let message = try? next(bytesMax: bytesMax - bytes, wait: wait)
        {
            messages.append(message)
            bytes += message.byteCount
        }
        return messages
    }

    /// The servers may say behind the last message that there are no more of those that were asked for ahead. That may
    /// come when this request waits for its own answer, so it is made once more.
    private func first(bytesMax: Int, wait: Duration) throws(TransportError) -> DeliveredMessage? {
        let mayBeEnded = hasAskedAhead
        hasAskedAhead = false
        do throws(TransportError) {
            return try next(bytesMax: bytesMax, wait: wait)
        } catch {
            guard mayBeEnded else { throw error }
            return try first(bytesMax: bytesMax, wait: wait)
        }
    }

    /// The first of those that have arrived; where none has, the first that comes, for this request or another.
    private func next(bytesMax: Int, wait: Duration) throws(TransportError) -> DeliveredMessage? {
        var request = jsFetchRequest()
        jsFetchRequest_Init(&request)
        request.Batch = 1
        request.MaxBytes = Int64(bytesMax)
        request.Expires = wait.nanoseconds
        var list = natsMsgList()
        let status = natsSubscription_FetchRequest(&list, subscription, &request)
        defer { natsMsgList_Destroy(&list) }
        if list.Count > 0, let message = list.Msgs?[0] {
            list.Msgs[0] = nil
            return DeliveredMessage(owning: message, of: self)
        }
        guard status == NATS_OK || status == NATS_TIMEOUT else {
            throw TransportError(status, "messages were not fetched")
        }
        return nil
    }

    // MARK: Ahead

    /// Has the servers send what is there to the subscription, where it waits for its turn. libnats sends the same
    /// request, and has no call that does not take the answers itself
    /// ([the request](https://docs.nats.io/reference/reference-protocols/nats_api_reference)).
    private func askAhead(_ count: Int, bytesMax: Int) {
        guard let inbox = natsSubscription_GetSubject(subscription) else { return }
        let request = #"{"batch":\#(count),"max_bytes":\#(bytesMax),"no_wait":true}"#
        let subject = "$JS.API.CONSUMER.MSG.NEXT.\(place.stream).\(place.name)"
        hasAskedAhead = true
        // Where that does not go out, each is asked for when its turn comes.
        _ = request.withCString { text in
            natsConnection_PublishRequest(connection.connection, subject, inbox, text, Int32(request.utf8.count))
        }
    }
}
