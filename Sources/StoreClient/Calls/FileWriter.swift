import StoreBasics
import StoreProtocol

/// A write in pieces that has begun. Used from one task; ends by itself when it was 60 seconds unused.
public struct FileWriter: Sendable {
    /// Pieces that the daemon works on or has waiting while the next one is made.
    private static let unansweredMax = 16
    /// What the daemon takes as it comes; larger pieces wait for their turn with it.
    private static let pieceBytes = 128 << 10

    private struct Piece {
        let bytes: ArraySlice<UInt8>
        let offset: UInt64
        let call: SentCall
    }

    private let client: StoreClient
    private let number: UInt64
    private var unanswered: [Piece] = []
    /// Bytes sent so far.
    public private(set) var offset: UInt64 = 0

    init(client: StoreClient, number: UInt64) {
        self.client = client
        self.number = number
    }

    /// Sends the next bytes, as many as there are. Returns while the last of them may still be on their way: what
    /// becomes of them the next call tells, or `finish`.
    ///
    /// - Throws: `.fileWriteNotFound` where the write has ended, `.diskFull`; also for bytes sent before.
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

    /// Waits for the answer to the oldest piece. Where the daemon had no room for it, or the connection was lost, the
    /// write goes on with it: those behind it are out of order then and are sent again, too.
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
            // Out of order: it is there already.
            guard error.reason == .invalidArgument else { throw error }
        }
    }

    private static func expectProgress(_ answer: Answer) throws(StoreClientError) {
        try answer.result { result in
            if case .fileWriteProgress = result { () } else { nil }
        }
    }

    /// Makes all that was written the file's, at once; on disk when it returns.
    ///
    /// - Parameter idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.fileChanged` where the file is not what the write began with, unless all of it is written;
    ///   `.fileWriteNotFound`, `.parentDirectoryNotFound`, `.alreadyExists`; what `write` throws, for bytes sent last.
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

    /// Ends the write: nothing of it stays. Nothing happens when it has ended already.
    public func end() async throws(StoreClientError) {
        try await sendEnd().answer().result { result in
            if case .fileWriteEnded = result { () } else { nil }
        }
    }

    /// The request leaves also where the task is cancelled.
    private func sendEnd() throws(StoreClientError) -> SentCall {
        defer { client.connection.lines.beginning(.fileWrite).ended.leave() }
        var call = WireEndFileWriteRequest()
        call.write = number
        return client.send(try RequestBody(.endFileWrite(call)), .once)
    }

    /// Writes and finishes in `body`. Where that fails the write is ended, and nothing of it stays.
    package func endingOnFailure<Value, Failure: Error>(
        _ body: (inout FileWriter) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        var writer = self
        do throws(Failure) {
            return try await body(&writer)
        } catch {
            if Task.isCancelled {
                // Whoever waits for an answer now takes the request back.
                _ = try? writer.sendEnd()
            } else {
                try? await writer.end()
            }
            throw error
        }
    }
}
