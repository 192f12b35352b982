import StoreBasics
import StoreProtocol

/// Writing files of any size in pieces. Everybody sees the file as it was until the write is finished.
extension StoreClient {
    /// Bytes of a file that is written in one call.
    static let wholeFileBytesMax = 64 << 10

    /// Begins a write. Send the content with `FileWriter.write`, then finish it; a write that is not finished leaves
    /// nothing behind.
    ///
    /// - Parameters:
    ///   - path: the file's.
    ///   - place: where in the file the bytes go.
    ///   - createsParents: whether directories that it lies in are made, where they are missing.
    ///   - byteCount: how many bytes will be written, where that is known: neither more nor fewer are taken then.
    /// - Throws: `.fileNotFound` for an offset and no file, `.parentDirectoryNotFound`, `.alreadyExists` where a
    ///   directory has the path, `.tooManyFileWrites`.
    public func beginFileWrite(
        at path: VaultPath, _ place: FileWritePlace = .whole, createsParents: Bool = false, byteCount: Int? = nil
    ) async throws(StoreClientError) -> FileWriter {
        var call = WireBeginFileWriteRequest()
        call.path = WireFilePath(path)
        switch place {
        case .whole: call.place = .whole
        case .end: call.place = .end
        case .offset(let offset):
            call.place = .offset
            call.offset = offset
        }
        call.createsParents = createsParents
        if let byteCount {
            call.byteCount = UInt64(clamping: byteCount)
        }
        let number = try await answer(to: .beginFileWrite(call), .once) { result in
            if case .fileWrite(let begun) = result { begun.write } else { nil }
        }
        return FileWriter(client: self, number: number)
    }

    /// Writes a file in one call, or in pieces where it is too large for one.
    func writeFile(
        _ bytes: [UInt8], at path: VaultPath, _ place: FileWritePlace, createsParents: Bool, key: IdempotencyKey
    ) async throws(StoreClientError) -> Commit {
        let writer = try await beginFileWrite(
            at: path, place, createsParents: createsParents, byteCount: bytes.count)
        return try await writer.endingOnFailure { (writer) throws(StoreClientError) in
            try await writer.write(bytes)
            return try await writer.finish(idempotencyKey: key)
        }
    }
}

/// Where in a file a write in pieces goes.
public enum FileWritePlace: Hashable, Sendable {
    /// In the place of all that the file has; makes a file where there is none.
    case whole
    /// Behind the end of the file; makes one where there is none.
    case end
    /// From a byte of the file on, over what is there and on behind its end. At most the file's size.
    case offset(UInt64)
}

/// A write in pieces that has begun. Used from one task; ends by itself when it was 60 seconds unused.
public struct FileWriter: Sendable {
    /// Pieces that the daemon works on or has waiting while the next one is made.
    private static let unansweredMax = 16
    /// What the daemon takes as it comes; larger pieces wait for their turn with it.
    private static let pieceBytes = 128 << 10

    private let client: StoreClient
    private let number: UInt64
    private var unanswered: [SentCall] = []
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
                try await Self.expectProgress(unanswered.removeFirst())
            }
            unanswered.append(client.send(RequestBody(piece: piece, of: number, at: offset), .once))
            offset += UInt64(piece.count)
        }
    }

    private static func expectProgress(_ call: SentCall) async throws(StoreClientError) {
        try await call.answer().result { result in
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
        for call in unanswered {
            try await Self.expectProgress(call)
        }
        var call = WireFinishFileWriteRequest()
        call.write = number
        return try await client.commit(.finishFileWrite(call), key: idempotencyKey)
    }

    /// Ends the write: nothing of it stays. Nothing happens when it has ended already.
    public func end() async throws(StoreClientError) {
        var call = WireEndFileWriteRequest()
        call.write = number
        try await client.answer(to: .endFileWrite(call), .once) { result in
            if case .fileWriteEnded = result { () } else { nil }
        }
    }

    /// Writes and finishes in `body`. Where that fails the write is ended, and nothing of it stays.
    package func endingOnFailure<Value, Failure: Error>(
        _ body: (inout FileWriter) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        var writer = self
        do throws(Failure) {
            return try await body(&writer)
        } catch {
            try? await writer.end()
            throw error
        }
    }
}
