import StoreClient

/// A session of the daemon that transfers a file in pieces, with one piece in memory at a time. If the transfer fails,
/// the session is ended. Otherwise it would still count against the daemon's limit of sessions, and possibly keep a
/// snapshot.
struct PieceSession {
    private let bar: ProgressBar
    private let end: () async throws -> Void

    /// - Parameter end: Ends the session early.
    init(_ bar: ProgressBar, ending end: @escaping () async throws -> Void) {
        self.bar = bar
        self.end = end
    }

    /// - Parameters:
    ///   - total: The size of the file in bytes, if it is known.
    ///   - read: Returns the piece at an offset, and whether the file ends with it.
    ///   - take: Receives each piece.
    /// - Returns: The size of the file in bytes.
    func download(
        total: UInt64? = nil, read: (UInt64) async throws -> (data: [UInt8], isLast: Bool),
        take: ([UInt8]) throws -> Void
    ) async throws -> UInt64 {
        try await endingOnFailure {
            var offset: UInt64 = 0
            while true {
                let piece = try await read(offset)
                try take(piece.data)
                offset += UInt64(piece.data.count)
                bar.update(done: offset, total: total, note: Quantity.bytes(offset))
                if piece.isLast {
                    return offset
                }
            }
        }
    }

    /// - Parameters:
    ///   - total: The size of the file in bytes, if it is known.
    ///   - next: Returns the next piece, and an empty one at the end.
    ///   - send: Sends the piece at an offset, and returns the number of bytes that the daemon has received.
    ///   - finish: Says that the file has ended.
    /// - Returns: The result of `finish`.
    func upload<Report>(
        total: UInt64?, next: () async throws -> [UInt8], send: (UInt64, [UInt8]) async throws -> UInt64,
        finish: () async throws -> Report
    ) async throws -> Report {
        try await endingOnFailure {
            var offset: UInt64 = 0
            while true {
                let piece = try await next()
                guard !piece.isEmpty else { return try await finish() }
                offset = try await send(offset, piece)
                bar.update(done: offset, total: total, note: Quantity.bytes(offset))
            }
        }
    }

    private func endingOnFailure<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            try? await end()
            throw error
        }
    }
}
