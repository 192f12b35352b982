import CNats

extension StreamConnection {
    /// Returns the last message of a subject according to the stream's leader; `nil` if the subject has none.
    package func lastMessage(
        of subject: String, in stream: String
    ) async throws(TransportError) -> StreamMessage? {
        try await queue.run { () throws(TransportError) in
            var message: OpaquePointer?
            var code = jsErrCode(rawValue: 0)
            let status = js_GetLastMsg(&message, self.context, stream, subject, nil, &code)
            return try Self.decode(message, status, code)
        }
    }

    /// Returns the first message of a subject at or after a stream sequence, according to any server; `nil` if the
    /// server knows none. A server that is not up to date may not know the newest messages.
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
            return try Self.decode(message, status, jsErrCode(rawValue: 0))
        }
    }

    /// Returns the first and the last message of a subject; `nil` if the subject has none.
    package func bounds(
        of subject: String, in stream: String
    ) async throws(TransportError) -> (first: StreamMessage, last: StreamMessage)? {
        // Read the last message before the first message. Messages that are stored between the two reads then come
        // after `last`.
        guard let last = try await lastMessage(of: subject, in: stream) else { return nil }
        let first = try await message(of: subject, in: stream, from: 1)
        return (first ?? last, last)
    }

    /// Returns the first message of a subject whose number in its channel is `sequence` or higher. Numbers increase
    /// along the stream, so a binary search finds it, unless other publishers have added messages.
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
                // A message must exist here, because the leader has reported a last message after the middle.
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

    private static func decode(
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
