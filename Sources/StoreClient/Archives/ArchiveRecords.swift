/// The records of an archive of the store; see `StoreClient.archiveRecords`.
public struct ArchiveRecords: AsyncSequence, Sendable {
    /// One record.
    public typealias Element = ArchiveRecord
    /// What it ends with when it does not end by itself.
    public typealias Failure = StoreClientError

    private let client: StoreClient

    init(client: StoreClient) {
        self.client = client
    }

    /// Makes an archive of the store as it is when the first record is asked for.
    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client)
    }

    /// Where an iteration stands. One task at a time may ask it.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private enum Progress: Sendable {
            case notBegun
            case reading(ArchiveSession, offset: UInt64)
            case complete
            case failed
        }

        private let client: StoreClient
        private var reader = ArchiveRecordReader()
        private var progress = Progress.notBegun

        fileprivate init(client: StoreClient) {
            self.client = client
        }

        /// The next record; `nil` behind the footer, and after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(StoreClientError) -> ArchiveRecord? {
            if case .failed = progress {
                return nil
            }
            do throws(StoreClientError) {
                return try await nextRecord()
            } catch {
                let reached = progress
                progress = .failed
                if case .reading(let session, _) = reached {
                    try? await client.endArchiveSession(session)
                }
                throw error
            }
        }

        private mutating func nextRecord() async throws(StoreClientError) -> ArchiveRecord? {
            while true {
                if let record = try reader.next() {
                    return record
                }
                switch progress {
                case .notBegun:
                    progress = .reading(try await client.beginArchive().session, offset: 0)
                case .reading(let session, let offset):
                    let piece = try await client.readArchive(session, offset: offset)
                    progress =
                        piece.isLast
                        ? .complete : .reading(session, offset: offset + UInt64(piece.data.count))
                    reader.feed(piece.data)
                case .complete, .failed:
                    try reader.finish()
                    return nil
                }
            }
        }
    }
}

extension StoreClient {
    /// All that the store holds, as it was at one moment, record by record; memory does not grow with it. Needs
    /// administration and the right to read every area.
    ///
    /// ```swift
    /// for try await record in client.archiveRecords() where record.kind == .message {
    ///     print(try record.json)
    /// }
    /// ```
    ///
    /// Leaving the loop early leaves the archive to the daemon, which ends it after 30 seconds.
    public func archiveRecords() -> ArchiveRecords {
        ArchiveRecords(client: self)
    }
}
