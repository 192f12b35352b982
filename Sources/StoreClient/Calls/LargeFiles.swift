import StoreBasics
import StoreProtocol

/// Writes of files that are too large for one call. They wait for each other, so that any number of tasks may start
/// them at once.
extension StoreClient {
    /// The largest number of times that a large file is written again because the daemon was restarted.
    private static let rewritesMax = 3

    /// Writes a whole file in pieces, or appends pieces to a file.
    ///
    /// - Parameter bytes: Returns the bytes to write. Its parameter is the beginning of the file, up to `startBytes`;
    ///   `nil` if there is no file, or if `startBytes` is 0.
    func writeFile(
        at path: VaultPath, _ place: FileWritePlace, createsParents: Bool, key: IdempotencyKey, startBytes: Int = 0,
        _ bytes: ([UInt8]?) -> [UInt8]
    ) async throws(StoreClientError) -> Commit {
        let deadline = uptimeDeadline(for: .read)
        let known = startBytes == 0 ? bytes(nil) : nil
        var pause = RefusalPause()
        var rewriteCount = 0
        while true {
            do throws(StoreClientError) {
                return try await writingLarge(until: deadline) { () throws(StoreClientError) in
                    let writer = try await beginFileWrite(
                        at: path, place, createsParents: createsParents, byteCount: known?.count)
                    return try await writer.endingOnFailure { (writer) throws(StoreClientError) in
                        if let known {
                            try await writer.write(known)
                        } else {
                            try await writer.write(bytes(try await start(of: path, byteCount: startBytes)))
                        }
                        return try await writer.finish(idempotencyKey: key)
                    }
                }
            } catch {
                switch error.reason {
                // Another program appended to the file meanwhile.
                case .fileChanged where place == .end: break
                // The daemon was restarted and the write had no effect, because a finished write would have been
                // answered.
                case .fileWriteNotFound where rewriteCount < Self.rewritesMax: rewriteCount += 1
                default: throw error
                }
                try await wait(pause.next(after: error), until: deadline, because: error)
            }
        }
    }

    /// Appends bytes to a file. Waits until no other task of this client appends to the file, and lets none append
    /// meanwhile.
    func appendLarge(
        at path: VaultPath, createsParents: Bool, key: IdempotencyKey, startBytes: Int = 0,
        _ bytes: ([UInt8]?) -> [UInt8]
    ) async throws(StoreClientError) -> Commit {
        try await appending(to: path, alone: true) { () throws(StoreClientError) in
            try await writeFile(
                at: path, .end, createsParents: createsParents, key: key, startBytes: startBytes, bytes)
        }
    }

    /// Runs an append when its turn among this client's appends to the file has come.
    func appending<Value>(
        to path: VaultPath, alone: Bool, _ body: () async throws(StoreClientError) -> Value
    ) async throws(StoreClientError) -> Value {
        let lines = connection.lines
        guard await lines.enter(path, alone: alone, until: uptimeDeadline(for: .read)) else {
            throw waitEnded(because: nil, mayBeDone: false)
        }
        defer { lines.leave(path, alone: alone) }
        return try await body()
    }

    /// Runs a large write when its turn among this client's large writes has come.
    func writingLarge<Value>(
        until deadline: UInt64? = nil, _ body: () async throws(StoreClientError) -> Value
    ) async throws(StoreClientError) -> Value {
        let line = connection.lines.largeWrites
        try await expectRoom(in: line, until: deadline ?? uptimeDeadline(for: .read))
        defer { line.leave() }
        return try await body()
    }

    /// Reads the beginning of a file.
    ///
    /// - Returns: The beginning of the file; `nil` if there is no file.
    private func start(of path: VaultPath, byteCount: Int) async throws(StoreClientError) -> [UInt8]? {
        do throws(StoreClientError) {
            return try await filePiece(at: path, byteCount: byteCount).bytes
        } catch {
            guard error.reason == .fileNotFound else { throw error }
            return nil
        }
    }
}
