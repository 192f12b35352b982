import StoreProtocol

extension StoreClient {
    /// Reads a file, or a part of it, into memory, as it was at one moment. If the file is written meanwhile, reads it
    /// again, up to 16 times.
    ///
    /// - Parameters:
    ///   - path: the file's.
    ///   - offset: where the part starts; at the end of the file and behind it there are no bytes, which is no error.
    ///   - byteCount: the most that is read; `nil`: to the end.
    /// - Throws: `.fileNotFound`; `.fileChanged` where it is written again and again while it is read.
    public func readFile(
        at path: VaultPath, from offset: UInt64 = 0, byteCount: Int? = nil
    ) async throws(StoreClientError) -> [UInt8] {
        try await readFile(at: path, from: offset, byteCount: byteCount, startBytes: 0).bytes
    }

    /// - Parameter startBytes: how many bytes of the file's beginning are wanted as well.
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

    /// Reads a whole content, and again if it is written meanwhile.
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

    /// The greatest number of times that a content is read until nothing is written to it meanwhile.
    private static let wholeReadsMax = 16

    /// A file in chunks of so many bytes, the last one with the rest. Each iteration reads the file anew, and one chunk
    /// is in memory at a time, beside a few MiB that are asked for ahead. It ends by throwing `.fileNotFound`, or
    /// `.fileChanged` where the file was written while it was read.
    ///
    /// - Parameters:
    ///   - path: the file's.
    ///   - offset: where to start.
    ///   - byteCount: the most that is read; `nil`: to the end.
    ///   - chunkBytes: of each chunk but the last; less than 1 is 1.
    ///   - revision: `VaultItem.revision` of an answer before, where the file must still be that one; `nil`: the file
    ///     as it is when its first piece is read.
    public func fileChunks(
        at path: VaultPath, from offset: UInt64 = 0, byteCount: Int? = nil,
        ofBytes chunkBytes: Int = StoreClient.filePieceBytes, expecting revision: UInt64? = nil
    ) -> FileChunks {
        FileChunks(
            source: FileReader(
                client: self, path: path, start: offset, end: Self.end(of: byteCount, from: offset),
                chunkBytes: max(1, chunkBytes), expecting: revision))
    }

    /// Returns where a part of a file ends.
    private static func end(of byteCount: Int?, from offset: UInt64) -> UInt64 {
        guard let byteCount else { return .max }
        let (end, overflow) = offset.addingReportingOverflow(UInt64(max(0, byteCount)))
        return overflow ? .max : end
    }
}

/// A file of the vault in chunks, none of which is empty; see `StoreClient.fileChunks`.
public typealias FileChunks = ContentSequence<[UInt8]>

extension RequestBody {
    /// A request whose answer is a piece, the bytes of which are copied once.
    static func reading(_ call: WireReadFileRequest) throws(StoreClientError) -> RequestBody {
        var body = try RequestBody(.readFile(call))
        body.answersPiece = true
        return body
    }
}
