import CNats

/// The message that must be the last one of a subject when a message is published. Otherwise the servers reject the new
/// message.
package enum ExpectedLast: Sendable, Hashable {
    case none
    case streamSequence(UInt64)
}

package enum PublishOutcome: Sendable, Hashable {
    /// Enough servers have stored the message for it to be durable.
    case stored(streamSequence: UInt64)
    /// A message with the same id exists. The caller must check whether it is the same message.
    case duplicate(streamSequence: UInt64)
    /// The subject's last message is not the expected one. Nothing was stored.
    case wrongLastSequence
    /// It is unknown if the message is stored, because too few servers answer, or none answered in time.
    case noQuorumYet
}

extension StreamConnection {
    /// Stores a message. Returns when enough servers have stored it for it to be durable.
    package func publish(
        _ bytes: [UInt8], to subject: String, as identity: MessageIdentity, behind last: ExpectedLast
    ) async throws(TransportError) -> PublishOutcome {
        try await queue.run { () throws(TransportError) in
            try self.publishBlocking(bytes, to: subject, as: identity, behind: last)
        }
    }

    private func publishBlocking(
        _ bytes: [UInt8], to subject: String, as identity: MessageIdentity, behind last: ExpectedLast
    ) throws(TransportError) -> PublishOutcome {
        let message = try Self.message(bytes, to: subject, as: identity)
        defer { natsMsg_Destroy(message) }
        var acknowledgement: UnsafeMutablePointer<jsPubAck>?
        var code = jsErrCode(rawValue: 0)
        let status = identity.identifier.withCString { identifier in
            var options = jsPubOptions()
            jsPubOptions_Init(&options)
            options.MaxWait = requestTimeout.milliseconds
            options.MsgId = identifier
            switch last {
            case .none: options.ExpectNoMessage = true
            case .streamSequence(let sequence): options.ExpectLastSubjectSeq = sequence
            }
            return js_PublishMsg(&acknowledgement, context, message, &options, &code)
        }
        defer { jsPubAck_Destroy(acknowledgement) }
        if status == NATS_OK, let answer = acknowledgement?.pointee {
            return answer.Duplicate
                ? .duplicate(streamSequence: answer.Sequence) : .stored(streamSequence: answer.Sequence)
        }
        if code == JSStreamWrongLastSequenceErr || code == JSStreamWrongLastMsgIDErr {
            return .wrongLastSequence
        }
        let error = TransportError(status, error: code, "a message could not be stored")
        if error.code == .noQuorum { return .noQuorumYet }
        throw error
    }

    private static func message(
        _ bytes: [UInt8], to subject: String, as identity: MessageIdentity
    ) throws(TransportError) -> OpaquePointer {
        guard let count = Int32(exactly: bytes.count) else {
            throw TransportError(.tooLarge, "a message of \(bytes.count) bytes cannot be sent")
        }
        var made: OpaquePointer?
        let status = bytes.withUnsafeBytes { buffer in
            natsMsg_Create(&made, subject, nil, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), count)
        }
        guard status == NATS_OK, let made else { throw TransportError(status, "a message could not be created") }
        let header = natsMsgHeader_Set(made, MessageIdentity.sequenceHeader, "\(identity.sequence)")
        guard header == NATS_OK else {
            natsMsg_Destroy(made)
            throw TransportError(header, "a message could not be created")
        }
        return made
    }
}
