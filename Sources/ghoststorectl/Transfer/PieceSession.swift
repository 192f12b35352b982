import StoreClient

/// A session of the daemon that a file goes through in pieces, of which one is in memory at a time. One that fails is
/// ended: it holds a place, and maybe a snapshot, no longer.
struct PieceSession {
    private let bar: ProgressBar
    private let end: () async throws -> Void

    /// - Parameter end: ends the session before its time.
    init(_ bar: ProgressBar, ending end: @escaping () async throws -> Void) {
        self.bar = bar
        self.end = end
    }

    /// - Parameters:
    ///   - total: bytes of the file, where that is known.
    ///   - read: gives the piece from an offset on, and whether the file ends with it.
    ///   - take: gets each piece.
    /// - Returns: bytes of the file.
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
    ///   - total: bytes of the file, where that is known.
    ///   - next: gives the next piece, an empty one at the end.
    ///   - send: sends the piece at an offset, and gives the bytes that the daemon has in all.
    ///   - finish: says that the file has ended.
    /// - Returns: what `finish` gives.
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
