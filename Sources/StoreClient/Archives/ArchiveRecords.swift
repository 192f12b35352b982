/// The records of an archive of the store; see `StoreClient.archiveRecords`.
public typealias ArchiveRecords = ContentSequence<ArchiveRecord>

extension StoreClient {
    /// Returns the records of everything in the store. All records show the same revision of the store. The memory used
    /// does not grow with the store. Needs administration and the right to read every area.
    ///
    /// ```swift
    /// for try await record in client.archiveRecords() where record.kind == .message {
    ///     print(try record.json)
    /// }
    /// ```
    ///
    /// The daemon begins the archive when the first record is requested. If the loop ends early, the daemon ends the
    /// archive after 30 seconds.
    public func archiveRecords() -> ArchiveRecords {
        ArchiveRecords(source: ArchiveSource(client: self))
    }
}

private struct ArchiveSource: ContentSource {
    let client: StoreClient
    var reader = ArchiveRecordReader()
    var hasBegun = false
    /// The archive; `nil` before it has begun, and after its last piece.
    var session: ArchiveSession?
    var offset: UInt64 = 0
    var isAtEnd = false

    mutating func next() async throws(StoreClientError) -> ArchiveRecord? {
        do throws(StoreClientError) {
            while true {
                if let record = try reader.next() {
                    return record
                }
                guard try await readPiece() else {
                    isAtEnd = true
                    try reader.finish()
                    return nil
                }
            }
        } catch {
            if let session {
                try? await client.endArchiveSession(session)
            }
            throw error
        }
    }

    /// Reads the next piece of the archive; begins the archive before the first one.
    ///
    /// - Returns: False after the last piece.
    private mutating func readPiece() async throws(StoreClientError) -> Bool {
        if !hasBegun {
            session = try await client.beginArchive().session
            hasBegun = true
        }
        guard let session else { return false }
        let piece = try await client.readArchive(session, offset: offset)
        offset += UInt64(piece.data.count)
        self.session = piece.isLast ? nil : session
        reader.feed(piece.data)
        return true
    }
}
