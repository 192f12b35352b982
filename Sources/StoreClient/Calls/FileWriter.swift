import StoreBasics
import StoreProtocol

/// A write in pieces that has begun. Only one task may use it. The daemon ends it after 60 seconds without a call.
public struct FileWriter: Sendable {
    /// The largest number of pieces that are sent and not answered yet.
    private static let unansweredMax = 16
    /// The size of a piece: the largest that the daemon decodes at once. Larger pieces would have to wait for a turn.
    private static let pieceBytes = 128 << 10

    private struct Piece {
        let bytes: ArraySlice<UInt8>
        let offset: UInt64
        let call: SentCall
    }

    private let client: StoreClient
    private let number: UInt64
    private var unanswered: [Piece] = []
    /// The number of bytes sent so far.
    public private(set) var offset: UInt64 = 0

    init(client: StoreClient, number: UInt64) {
        self.client = client
        self.number = number
    }

    /// Sends the next bytes, any number of them. Returns before the last pieces are answered; if a piece fails, the
    /// next call or `finish` throws.
    ///
    /// - Throws: `.fileWriteNotFound` if the write has ended; `.diskFull`. The error may be about bytes sent earlier.
    public mutating func write(_ bytes: [UInt8]) async throws(StoreClientError) {
        for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
            let piece = bytes[start..<min(start + Self.pieceBytes, bytes.count)]
            if unanswered.count == Self.unansweredMax {
                try await expectOldest()
            }
            let call = client.send(RequestBody(piece: piece, of: number, at: offset), .once)
            unanswered.append(Piece(bytes: piece, offset: offset, call: call))
            offset += UInt64(piece.count)
        }
    }

    /// Waits for the answer to the oldest piece. If the daemon had no room for the piece, or the connection was lost,
    /// sends it again, and all later pieces too, because they arrived out of order.
    private mutating func expectOldest() async throws(StoreClientError) {
        let oldest = unanswered.removeFirst()
        do throws(StoreClientError) {
            try Self.expectProgress(try await oldest.call.answer())
        } catch {
            switch error.reason {
            case .queueFull, .memoryExhausted, .shuttingDown, .connectionLost: break
            default: throw error
            }
            let behind = unanswered
            unanswered = []
            for piece in behind {
                _ = try? await piece.call.answer()
            }
            for piece in [oldest] + behind {
                try await sendAgain(piece)
            }
        }
    }

    private func sendAgain(_ piece: Piece) async throws(StoreClientError) {
        let body = RequestBody(piece: piece.bytes, of: number, at: piece.offset)
        do throws(StoreClientError) {
            try Self.expectProgress(try await client.finalAnswer(to: body, .repeatable))
        } catch {
            // If the daemon has already received the piece, it reports the repetition as out of order. Ignore that
            // error.
            guard error.reason == .invalidArgument else { throw error }
        }
    }

    private static func expectProgress(_ answer: Answer) throws(StoreClientError) {
        try answer.result { result in
            if case .fileWriteProgress = result { () } else { nil }
        }
    }

    /// Gives the file the written content in one step. The content is durable when this returns.
    ///
    /// - Parameter idempotencyKey: Identifies the mutation, so that a repetition has no further effect.
    /// - Throws: `.fileChanged` if the file was changed since the write began, unless the write replaces the whole
    ///   file; `.fileWriteNotFound`, `.parentDirectoryNotFound`, `.alreadyExists`; the errors of `write` for the last
    ///   bytes sent.
    @discardableResult
    public func finish(idempotencyKey: IdempotencyKey = IdempotencyKey()) async throws(StoreClientError) -> Commit {
        defer { client.connection.lines.beginning(.fileWrite).ended.leave() }
        var rest = self
        while !rest.unanswered.isEmpty {
            try await rest.expectOldest()
        }
        var call = WireFinishFileWriteRequest()
        call.write = number
        return try await client.commit(.finishFileWrite(call), key: idempotencyKey)
    }

    /// Ends the write and discards its bytes. Does nothing if the write has ended.
    public func end() async throws(StoreClientError) {
        try await sendEnd().answer().result { result in
            if case .fileWriteEnded = result { () } else { nil }
        }
    }

    /// Sends the request to end the write, even if the task is cancelled.
    private func sendEnd() throws(StoreClientError) -> SentCall {
        defer { client.connection.lines.beginning(.fileWrite).ended.leave() }
        var call = WireEndFileWriteRequest()
        call.write = number
        return client.send(try RequestBody(.endFileWrite(call)), .once)
    }

    /// Runs `body`, which writes and finishes. If `body` fails, ends the write and discards the written bytes.
    package func endingOnFailure<Value, Failure: Error>(
        _ body: (inout FileWriter) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        var writer = self
        do throws(Failure) {
            return try await body(&writer)
        } catch {
            if Task.isCancelled {
                // Send the request without waiting for its answer: in a cancelled task, waiting would cancel the
                // request.
                _ = try? writer.sendEnd()
            } else {
                try? await writer.end()
            }
            throw error
        }
    }
}
