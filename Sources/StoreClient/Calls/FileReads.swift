import StoreProtocol

extension StoreClient {
    /// A piece of a file, from one answer.
    ///
    /// - Parameters:
    ///   - path: the file's.
    ///   - offset: where it starts; at the end of the file and behind it there are no bytes, which is no error.
    ///   - byteCount: the most that is wanted; `nil`: as much as an answer has, `filePieceBytesMax`.
    ///   - revision: `VaultItem.revision` of the answer before; `nil`: the file as it is.
    /// - Throws: `.fileNotFound`; `.fileChanged` where the file is another one than `revision` names, or has been
    ///   written since.
    public func filePiece(
        at path: VaultPath, from offset: UInt64 = 0, byteCount: Int? = nil, expecting revision: UInt64? = nil
    ) async throws(StoreClientError) -> FilePiece {
        var call = WireReadFileRequest()
        call.path = WireFilePath(path)
        call.offset = offset
        call.byteCount = UInt64(clamping: max(1, byteCount ?? Self.filePieceBytesMax))
        call.expectedRevision = revision ?? 0
        let answered = try await answer(to: .readFile(call), .read) { result in
            if case .fileData(let part) = result { part } else { nil }
        }
        return FilePiece(bytes: Array(answered.data), file: VaultItem(answered.file))
    }

    /// A file, or a part of it, in memory.
    ///
    /// - Parameters:
    ///   - path: the file's.
    ///   - offset: where the part starts; at the end of the file and behind it there are no bytes, which is no error.
    ///   - byteCount: the most that is read; `nil`: to the end.
    /// - Throws: `.fileNotFound`; `.fileChanged` where it was written between two of its pieces.
    public func readFile(
        at path: VaultPath, from offset: UInt64 = 0, byteCount: Int? = nil
    ) async throws(StoreClientError) -> [UInt8] {
        if let byteCount, byteCount < 1 {
            _ = try await filePiece(at: path, from: offset, byteCount: 1)
            return []
        }
        var reader = FileReader(client: self, path: path, offset: offset)
        return try await reader.read(upTo: byteCount ?? .max)
    }

    /// A file in chunks of so many bytes, the last one with the rest. Each iteration reads the file anew, and one chunk
    /// is in memory at a time. It ends by throwing `.fileNotFound`, or `.fileChanged` where the file was written while
    /// it was read.
    ///
    /// - Parameters:
    ///   - path: the file's.
    ///   - offset: where to start.
    ///   - chunkBytes: of each chunk but the last; less than 1 is 1.
    public func fileChunks(
        at path: VaultPath, from offset: UInt64 = 0, ofBytes chunkBytes: Int = StoreClient.filePieceBytesMax
    ) -> FileChunks {
        FileChunks(reader: FileReader(client: self, path: path, offset: offset), chunkBytes: max(1, chunkBytes))
    }
}

/// A file of the vault in chunks; see `StoreClient.fileChunks`.
public struct FileChunks: AsyncSequence, Sendable {
    /// What a chunk is.
    public typealias Element = [UInt8]
    /// What it ends with when it does not end by itself.
    public typealias Failure = StoreClientError

    fileprivate let reader: FileReader
    fileprivate let chunkBytes: Int

    /// Reads the file anew.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: reader, chunkBytes: chunkBytes)
    }

    /// Reads one chunk after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: FileReader
        fileprivate let chunkBytes: Int
        private var isOver = false

        fileprivate init(reader: FileReader, chunkBytes: Int) {
            self.reader = reader
            self.chunkBytes = chunkBytes
        }

        /// The next chunk, never an empty one; `nil` behind the last, and after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(StoreClientError) -> [UInt8]? {
            guard !isOver else { return nil }
            do throws(StoreClientError) {
                let chunk = try await reader.read(upTo: chunkBytes)
                isOver = reader.isAtEnd || chunk.isEmpty
                return chunk.isEmpty ? nil : chunk
            } catch {
                isOver = true
                throw error
            }
        }
    }
}

/// Reads one file from an offset on, as it was when its first piece was read.
struct FileReader: Sendable {
    let client: StoreClient
    let path: VaultPath
    private(set) var offset: UInt64
    private(set) var isAtEnd = false
    private var revision: UInt64?

    init(client: StoreClient, path: VaultPath, offset: UInt64) {
        self.client = client
        self.path = path
        self.offset = offset
    }

    /// The next bytes, as many as asked for unless the file ends before.
    mutating func read(upTo byteCount: Int) async throws(StoreClientError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < byteCount, !isAtEnd {
            let wanted = min(byteCount - bytes.count, StoreClient.filePieceBytesMax)
            let piece = try await client.filePiece(at: path, from: offset, byteCount: wanted, expecting: revision)
            revision = piece.file.revision
            offset += UInt64(piece.bytes.count)
            isAtEnd = offset >= piece.file.contentBytes
            guard isAtEnd || !piece.bytes.isEmpty else {
                throw .answerUnreadable("the daemon's piece of a file is empty and not the last")
            }
            bytes += piece.bytes
        }
        return bytes
    }
}
