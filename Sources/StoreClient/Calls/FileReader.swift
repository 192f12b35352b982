import StoreProtocol

/// Reads one file from an offset on. All pieces are of the file's version at the first read. As long as complete pieces
/// arrive, more and more pieces are requested in advance.
struct FileReader: ContentSource {
    /// The largest number of requested pieces, including the next one.
    private static let askedHighest = 16
    private static let askedBytesMax = 4 << 20

    private struct AskedPiece {
        let call: SentCall
        let range: Range<UInt64>
    }

    private var client: StoreClient
    private let path: VaultPath
    private let start: UInt64
    /// The offset at which reading ends.
    private let end: UInt64
    private let chunkBytes: Int
    private var offset: UInt64
    /// The file's properties in the last answer.
    private var file: VaultItem?
    /// The revision that the file must have in all answers; `nil` until the first piece has arrived, unless the caller
    /// gave it.
    private var revision: UInt64?
    /// A request for the current history, sent with the request for the first piece. All pieces must be of that
    /// history: after a restore, the same revision may belong to another file.
    private var greeting: SentCall?
    /// The requested pieces in order, from `offset` on.
    private var asked: [AskedPiece] = []
    private var askedMax: Int

    /// - Parameter isHurried: True to request as many pieces at once as allowed, so that little time passes between the
    ///   first and the last.
    init(
        client: StoreClient, path: VaultPath, start: UInt64, end: UInt64 = .max, chunkBytes: Int,
        expecting revision: UInt64? = nil, isHurried: Bool = false
    ) {
        self.revision = revision
        askedMax = isHurried ? Self.askedBytesMax / StoreClient.filePieceBytes : 1
        self.client = client
        self.path = path
        self.start = start
        self.end = end
        self.chunkBytes = chunkBytes
        offset = start
    }

    var isAtEnd: Bool {
        offset >= min(end, file?.contentBytes ?? .max)
    }

    mutating func next() async throws(StoreClientError) -> [UInt8]? {
        let chunk = try await nextChunk()
        return chunk.isEmpty ? nil : chunk
    }

    /// Returns the next chunk, of `chunkBytes` bytes. The chunk may be shorter or empty at the end of the file, or at
    /// the offset at which reading ends.
    mutating func nextChunk() async throws(StoreClientError) -> [UInt8] {
        var chunk: [UInt8] = []
        while chunk.count < chunkBytes, !isAtEnd {
            let piece = try await nextPiece()
            if chunk.isEmpty {
                chunk = piece
            } else {
                chunk += piece
            }
        }
        return chunk
    }

    private mutating func nextPiece() async throws(StoreClientError) -> [UInt8] {
        try await learnHistory()
        try ask()
        let next = asked.removeFirst()
        let piece = try await piece(next)
        guard piece.bytes.count <= next.range.count else {
            throw .answerUnreadable("the daemon sent a longer piece of a file than requested")
        }
        // Check the revision here, because a request that was sent before the revision was known did not contain it.
        if let revision, piece.file.revision != revision {
            throw .changedWhileRead
        }
        (file, revision) = (piece.file, piece.file.revision)
        offset += UInt64(piece.bytes.count)
        guard isAtEnd || !piece.bytes.isEmpty else {
            throw .answerUnreadable("the daemon sent an empty piece before the end of a file")
        }
        if offset == next.range.upperBound {
            askedMax = min(askedMax + 1, Self.askedHighest, max(2, Self.askedBytesMax / piece.bytes.count))
        } else {
            // The piece was shorter than requested, so the requests that were already sent start at a wrong offset.
            asked = []
            askedMax = 1
        }
        return piece.bytes
    }

    /// Waits for a requested piece. If the daemon had no room for it, requests it and the following pieces again.
    private mutating func piece(_ next: AskedPiece) async throws(StoreClientError) -> FilePiece {
        let answer = try await next.call.answer()
        if let refusal = answer.refusal, CallEffect.read.waits(for: refusal.reason, waitsWhileLocked: false) {
            asked = []
            askedMax = 1
            return try FilePiece(try await client.finalAnswer(to: try body(next.range), .read))
        }
        return try FilePiece(answer)
    }

    /// Reads the history. It is requested with the first piece, and known before the second piece is requested.
    private mutating func learnHistory() async throws(StoreClientError) {
        guard client.history == nil else { return }
        if greeting == nil, file == nil {
            greeting = client.send(try .hello(client.connection.configuration.clientName), .read)
            guard askedMax > 1 else { return }
        }
        if let greeting {
            self.greeting = nil
            client = client.with(history: try ServerInfo(try await greeting.answer()).historyID)
        }
    }

    private mutating func ask() throws(StoreClientError) {
        var place = asked.last?.range.upperBound ?? offset
        while asked.count < askedMax, asked.isEmpty || place < min(end, file?.contentBytes ?? .max) {
            let range = place..<(place + min(pieceBytes(at: place), end - place))
            asked.append(AskedPiece(call: client.send(try body(range), .read), range: range))
            place = range.upperBound
        }
    }

    private func body(_ range: Range<UInt64>) throws(StoreClientError) -> RequestBody {
        var call = WireReadFileRequest()
        call.path = WireFilePath(path)
        (call.offset, call.byteCount, call.expectedRevision) = (range.lowerBound, UInt64(range.count), revision ?? 0)
        return try .reading(call)
    }

    /// Returns the size of the piece that begins at an offset. The piece ends at the end of its chunk, or earlier if it
    /// would have more than `filePieceBytes`.
    private func pieceBytes(at place: UInt64) -> UInt64 {
        let chunkBytes = UInt64(chunkBytes)
        let bytesLeft = chunkBytes - (place - start) % chunkBytes
        return min(bytesLeft, UInt64(StoreClient.filePieceBytes), .max - place)
    }
}

extension StoreClientError {
    fileprivate static let changedWhileRead = StoreClientError(
        code: .aborted, reason: .fileChanged, message: "the file was written while it was read; read it again")
}
