import CNats

extension StreamConnection {
    /// Follows a subject from the position that the servers have stored. Creates the consumer if it does not exist.
    ///
    /// - Parameters:
    ///   - start: the message at which a new consumer begins.
    ///   - moves: if true, an existing consumer is replaced and the new one begins at `start`.
    package func follow(
        _ place: FollowerPlace, from start: FollowerStart, moves: Bool = false
    ) async throws(TransportError) -> SubjectFollower {
        try await queue.run { () throws(TransportError) in
            if moves { try self.remove(place) }
            if try !self.hasPlace(place) {
                try self.make(place, start)
            }
            return SubjectFollower(self, try self.subscribe(place), place)
        }
    }

    /// Deletes the consumer, and with it the position that the servers have stored.
    package func forget(_ place: FollowerPlace) async throws(TransportError) {
        try await queue.run { () throws(TransportError) in try self.remove(place) }
    }

    func hasPlace(_ place: FollowerPlace) throws(TransportError) -> Bool {
        try waiting(at: place) != nil
    }

    /// Returns the number of messages that the consumer has not delivered yet; `nil` if the consumer does not exist.
    func waiting(at place: FollowerPlace) throws(TransportError) -> UInt64? {
        var information: UnsafeMutablePointer<jsConsumerInfo>?
        var code = jsErrCode(rawValue: 0)
        let status = js_GetConsumerInfo(&information, context, place.stream, place.name, nil, &code)
        defer { jsConsumerInfo_Destroy(information) }
        if status == NATS_OK { return information?.pointee.NumPending ?? 0 }
        if code == JSConsumerNotFoundErr || status == NATS_NOT_FOUND && code != JSStreamNotFoundErr { return nil }
        throw TransportError(status, error: code, "the agent's JetStream consumer of a channel could not be read")
    }

    private func remove(_ place: FollowerPlace) throws(TransportError) {
        var code = jsErrCode(rawValue: 0)
        let status = js_DeleteConsumer(context, place.stream, place.name, nil, &code)
        guard status == NATS_OK || status == NATS_NOT_FOUND || code == JSConsumerNotFoundErr else {
            throw TransportError(
                status, error: code,
                """
                the agent's JetStream consumer of a channel could not be deleted
                """)
        }
    }

    private func make(_ place: FollowerPlace, _ start: FollowerStart) throws(TransportError) {
        var code = jsErrCode(rawValue: 0)
        let status = place.name.withCString { name in
            place.subject.withCString { subject in
                var configuration = jsConsumerConfig()
                jsConsumerConfig_Init(&configuration)
                configuration.Durable = name
                configuration.FilterSubject = subject
                configuration.AckPolicy = js_AckExplicit
                configuration.AckWait = FollowerLimits.acknowledgementTimeout.nanoseconds
                configuration.MaxAckPending = FollowerLimits.unacknowledgedMax
                configuration.InactiveThreshold = FollowerLimits.idleMax.nanoseconds
                switch start {
                case .first: configuration.DeliverPolicy = js_DeliverAll
                case .streamSequence(let sequence):
                    configuration.DeliverPolicy = js_DeliverByStartSequence
                    configuration.OptStartSeq = max(1, sequence)
                }
                return js_AddConsumer(nil, context, place.stream, &configuration, nil, &code)
            }
        }
        // Another agent of this device, which this agent is just replacing, may have created the consumer at the same
        // time.
        guard status == NATS_OK || code == JSConsumerNameExistErr else {
            throw TransportError(
                status, error: code,
                """
                the agent's JetStream consumer of a channel could not be created
                """)
        }
    }

    private func subscribe(_ place: FollowerPlace) throws(TransportError) -> OpaquePointer {
        var subscription: OpaquePointer?
        var code = jsErrCode(rawValue: 0)
        let status = place.stream.withCString { stream in
            place.name.withCString { name in
                var options = jsSubOptions()
                jsSubOptions_Init(&options)
                options.Stream = stream
                options.Consumer = name
                options.ManualAck = true
                return js_PullSubscribe(&subscription, context, place.subject, name, nil, &options, &code)
            }
        }
        guard status == NATS_OK, let subscription else {
            throw TransportError(status, error: code, "the agent could not subscribe to the messages of a channel")
        }
        natsSubscription_SetPendingLimits(
            subscription, Int32(FollowerLimits.unacknowledgedMax), FollowerLimits.arrivedBytesMax)
        return subscription
    }
}
