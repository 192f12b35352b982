import CNats

extension StreamConnection {
    /// The last message of a subject, as the stream's leader has it; `nil` where there is none.
    package func lastMessage(
        of subject: String, in stream: String
    ) async throws(TransportError) -> StreamMessage? {
        try await queue.run { () throws(TransportError) in
            var message: OpaquePointer?
            var code = jsErrCode(rawValue: 0)
            let status = js_GetLastMsg(&message, self.context, stream, subject, nil, &code)
            return try Self.take(message, status, code)
        }
    }

    /// The first message of a subject at a place of the stream or behind it, as any server has it; `nil` where it knows
    /// of none. One that is not up to date may not know the newest.
    package func message(
        of subject: String, in stream: String, from streamSequence: UInt64
    ) async throws(TransportError) -> StreamMessage? {
        try await queue.run { () throws(TransportError) in
            var message: OpaquePointer?
            let status = subject.withCString { subject in
                var options = jsDirectGetMsgOptions()
                jsDirectGetMsgOptions_Init(&options)
                options.Sequence = max(1, streamSequence)
                options.NextBySubject = subject
                return js_DirectGetMsg(&message, self.context, stream, nil, &options)
            }
            return try Self.take(message, status, jsErrCode(rawValue: 0))
        }
    }

    /// Where the messages of a subject begin and end; `nil` where there are none.
    package func bounds(
        of subject: String, in stream: String
    ) async throws(TransportError) -> (first: StreamMessage, last: StreamMessage)? {
        // The last is asked for first: what is stored meanwhile is behind it.
        guard let last = try await lastMessage(of: subject, in: stream) else { return nil }
        let first = try await message(of: subject, in: stream, from: 1)
        return (first ?? last, last)
    }

    /// Where the first message of a subject lies whose number in its channel is the one wanted or a later one.
    /// Numbers grow along the stream, so halving finds it, unless somebody else has put messages in between.
    package func find(
        _ sequence: UInt64, of subject: String, in stream: String
    ) async throws(TransportError) -> StreamMessage? {
        guard let bounds = try await bounds(of: subject, in: stream), bounds.last.identity.sequence >= sequence else {
            return nil
        }
        var found = bounds.last
        var low = bounds.first.streamSequence
        var high = bounds.last.streamSequence
        while low < high {
            let middle = low + (high - low) / 2
            guard let candidate = try await message(of: subject, in: stream, from: middle) else {
                // The last one is behind the middle, as the leader says.
                throw TransportError(.noQuorum, "a server of the stream does not have the newest messages yet")
            }
            if candidate.identity.sequence < sequence,
                (middle..<high).contains(candidate.streamSequence)
            {
                low = candidate.streamSequence + 1
            } else {
                if candidate.streamSequence <= found.streamSequence { found = candidate }
                high = middle
            }
        }
        return found
    }

    private static func take(
        _ message: OpaquePointer?, _ status: natsStatus, _ code: jsErrCode
    ) throws(TransportError) -> StreamMessage? {
        defer { natsMsg_Destroy(message) }
        if status == NATS_NOT_FOUND || code == JSNoMessageFoundErr { return nil }
        guard status == NATS_OK, let message else {
            throw TransportError(status, error: code, "a message could not be read")
        }
        return StreamMessage(
            streamSequence: natsMsg_GetSequence(message), identity: MessageIdentity(of: message),
            bytes: payload(of: message))
    }
}
