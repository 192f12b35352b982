import CNats

/// Fetching of messages. Each call of libnats fetches only one message: in versions up to 3.4, a fetch of several
/// messages writes beyond the end of its list if more than half of the messages, but not all, arrive unrequested or for
/// an earlier request. A malicious server can cause that at any time. Instead, further messages are requested ahead, so
/// that they have already arrived when they are fetched.
extension SubjectFollower {
    /// Returns the available messages, or waits for the first one. Returns an empty array if none arrives in time.
    ///
    /// - Parameters:
    ///   - countMax: above 0.
    ///   - bytesMax: the most bytes; one message is returned in any case if it is no larger than the stream allows.
    package func fetch(
        countMax: Int, bytesMax: Int, wait: Duration
    ) async throws(TransportError) -> [DeliveredMessage] {
        try await queue.run { () throws(TransportError) in
            try self.fetchBlocking(countMax: countMax, bytesMax: bytesMax, wait: wait)
        }
    }

    /// The longest wait for the next of the messages that were requested ahead.
    private static let answerTime = Duration.seconds(2)
    private static let redeliveryTime = Duration.milliseconds(100)
    /// The longest time of one fetch, whatever the servers send. It is far below `acknowledgementTimeout`, so that
    /// messages are acknowledged before the servers deliver them again.
    private static let fetchTimeMax = Duration.seconds(10)

    private func fetchBlocking(
        countMax: Int, bytesMax: Int, wait: Duration
    ) throws(TransportError) -> [DeliveredMessage] {
        guard let first = try first(bytesMax: bytesMax, wait: wait) else { return [] }
        // The servers do not count messages to be redelivered as pending. Request such messages anyway, but wait for
        // them only briefly.
        let isAgain = first.deliveries > 1
        let more = isAgain ? countMax - 1 : Int(min(UInt64(countMax - 1), first.pending))
        guard more > 0, first.byteCount < bytesMax else { return [first] }
        prefetch(more, bytesMax: bytesMax - first.byteCount)
        let (wait, end) = (isAgain ? Self.redeliveryTime : Self.answerTime, ContinuousClock.now + Self.fetchTimeMax)
        var messages = [first]
        var bytes = first.byteCount
        // Return the messages that arrived before an error. The error occurs again in the next call.
        while messages.count <= more, bytes < bytesMax, ContinuousClock.now < end,
            let message = try? next(bytesMax: bytesMax - bytes, wait: wait)
        {
            messages.append(message)
            bytes += message.byteCount
        }
        return messages
    }

    /// Returns the first message of a fetch. If messages were requested ahead, the servers may report that no more of
    /// them exist. That report may arrive as an error of the request that is made here, so the request is repeated
    /// once.
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

    /// Returns the first message that has arrived. If no message has arrived, waits for the next one, whether this
    /// request or an earlier one caused it.
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
            throw TransportError(status, "messages could not be fetched")
        }
        return nil
    }

    // MARK: Requesting ahead

    /// Asks the servers to send available messages to the subscription, where the messages stay until they are fetched.
    /// Publishes the request directly, because every function of libnats that sends such a request also waits for the
    /// messages. See https://docs.nats.io/reference/reference-protocols/nats_api_reference.
    private func prefetch(_ count: Int, bytesMax: Int) {
        guard let inbox = natsSubscription_GetSubject(subscription) else { return }
        let request = #"{"batch":\#(count),"max_bytes":\#(bytesMax),"no_wait":true}"#
        let subject = "$JS.API.CONSUMER.MSG.NEXT.\(place.stream).\(place.name)"
        hasAskedAhead = true
        // Ignore an error: without this request, each message is requested when it is fetched.
        _ = request.withCString { text in
            natsConnection_PublishRequest(connection.connection, subject, inbox, text, Int32(request.utf8.count))
        }
    }
}
