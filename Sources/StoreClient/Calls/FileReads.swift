import StoreProtocol

extension StoreClient {
    /// Reads a file, or a part of it, into memory. The bytes are of one version of the file. If the file is written
    /// meanwhile, it is read again, up to 16 times.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - offset: The start of the part. At or after the end of the file, the result is empty, which is no error.
    ///   - byteCount: The largest number of bytes; `nil` reads to the end.
    /// - Throws: `.fileNotFound`; `.fileChanged` if the file is written during each of the reads.
    public func readFile(
        at path: VaultPath, from offset: UInt64 = 0, byteCount: Int? = nil
    ) async throws(StoreClientError) -> [UInt8] {
        try await readFile(at: path, from: offset, byteCount: byteCount, startBytes: 0).bytes
    }

    /// Reads a part of a file, and also the file's beginning, into memory. Both are of one version of the file.
    ///
    /// - Parameter startBytes: The number of bytes to read from the file's beginning; 0 for none.
    package func readFile(
        at path: VaultPath, from offset: UInt64, byteCount: Int?, startBytes: Int
    ) async throws(StoreClientError) -> (start: [UInt8], bytes: [UInt8]) {
        if let byteCount, byteCount < 1 {
            return (try await filePiece(at: path, byteCount: max(1, startBytes)).bytes, [])
        }
        let end = Self.end(of: byteCount, from: offset)
        return try await readingWhole { (isFirstTry) throws(StoreClientError) in
            let start = startBytes > 0 ? try await filePiece(at: path, byteCount: startBytes) : nil
            var reader = FileReader(
                client: self, path: path, start: offset, end: end, chunkBytes: .max,
                expecting: start?.file.revision, isHurried: !isFirstTry)
            return (start?.bytes ?? [], try await reader.nextChunk())
        }
    }

    /// Reads a whole content, and reads it again if it is written meanwhile.
    ///
    /// - Parameter read: Reads the content; its parameter says whether this is the first time. Throws `.fileChanged` if
    ///   the content was written between two of its pieces.
    func readingWhole<Value>(
        _ read: (_ isFirstTry: Bool) async throws(StoreClientError) -> Value
    ) async throws(StoreClientError) -> Value {
        for tryNumber in 1..<Self.wholeReadsMax {
            do throws(StoreClientError) {
                return try await read(tryNumber == 1)
            } catch {
                guard error.reason == .fileChanged else { throw error }
            }
        }
        return try await read(false)
    }

    /// The largest number of attempts to read a whole content that is written meanwhile.
    private static let wholeReadsMax = 16

    /// Returns a file in chunks of the given size; the last one has the rest. Each iteration reads the file again, with
    /// one chunk in memory at a time beside a few MiB that are read ahead. The sequence throws `.fileNotFound`, or
    /// `.fileChanged` if the file was written while it was read.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - offset: The offset to start at.
    ///   - byteCount: The largest number of bytes; `nil` reads to the end.
    ///   - chunkBytes: The size of each chunk except the last; less than 1 counts as 1.
    ///   - revision: The expected version of the file: `VaultItem.revision` of an earlier answer; `nil` reads the
    ///     version at the first piece.
    public func fileChunks(
        at path: VaultPath, from offset: UInt64 = 0, byteCount: Int? = nil,
        ofBytes chunkBytes: Int = StoreClient.filePieceBytes, expecting revision: UInt64? = nil
    ) -> FileChunks {
        FileChunks(
            source: FileReader(
                client: self, path: path, start: offset, end: Self.end(of: byteCount, from: offset),
                chunkBytes: max(1, chunkBytes), expecting: revision))
    }

    /// Returns the offset at which a part of a file ends; `.max` if the part reaches to the end of the file.
    private static func end(of byteCount: Int?, from offset: UInt64) -> UInt64 {
        guard let byteCount else { return .max }
        let (end, overflow) = offset.addingReportingOverflow(UInt64(max(0, byteCount)))
        return overflow ? .max : end
    }
}

/// A file of the vault in chunks, none of which is empty; see `StoreClient.fileChunks`.
public typealias FileChunks = ContentSequence<[UInt8]>

extension RequestBody {
    /// Creates a request whose answer is a piece. The bytes of the piece are copied only once.
    static func reading(_ call: WireReadFileRequest) throws(StoreClientError) -> RequestBody {
        var body = try RequestBody(.readFile(call))
        body.answersPiece = true
        return body
    }
}
