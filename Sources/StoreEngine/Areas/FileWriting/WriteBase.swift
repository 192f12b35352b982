import SQLCipher
import StoreBasics
import StoreCrypto

/// The base of a write: the content that the write extends or overwrites in part. It is `.nothing` for a new file, and
/// for a write that replaces the whole content.
enum WriteBase {
    case nothing
    case database(number: Int64, bytes: [UInt8])
    case vault(StoredBase)

    /// A content in the vault, with its map and its open file.
    struct StoredBase {
        let content: VaultContent
        let open: OpenContent
        let runs: [ChunkRun]
        /// Freed slots that are not overwritten yet.
        let freedSlots: [Range<UInt64>]
        /// True if the write goes to free slots of the same file; false if a new file gets the whole content.
        let isWrittenInPlace: Bool
    }

    var byteCount: UInt64 {
        switch self {
        case .nothing: 0
        case .database(_, let bytes): UInt64(bytes.count)
        case .vault(let base): base.content.byteCount
        }
    }

    var expectation: FileCompletion.Expectation {
        switch self {
        case .nothing: .nothing
        case .database(let number, _): .content(number, generation: nil)
        case .vault(let base): .content(base.content.number, generation: base.content.generation)
        }
    }

    var layout: ChunkLayout {
        switch self {
        case .nothing, .database: ChunkLayout(byteCount: byteCount, chunkBytes: Int(VaultContent.chunkBytes))
        case .vault(let base): base.content.layout
        }
    }

    /// The chunks that have to be copied where the write does not replace them.
    var chunksToCopy: Range<UInt64> {
        switch self {
        case .nothing: 0..<0
        case .database: 0..<layout.chunkCount
        case .vault(let base): base.isWrittenInPlace ? 0..<0 : 0..<layout.chunkCount
        }
    }

    /// Passes the plaintext of a chunk to `body`.
    func withChunk(
        _ chunk: UInt64, _ buffer: inout ChunkBuffer, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(StoreError) {
        switch self {
        case .nothing: break
        case .database(_, let bytes):
            let start = Int(chunk) * layout.chunkBytes
            let part = bytes[min(start, bytes.count)..<min(start + layout.chunkBytes, bytes.count)]
            part.withUnsafeBytes(body)
        case .vault(let base):
            guard let run = base.runs.first(where: { $0.chunks.contains(chunk) }), let slot = run.slot(of: chunk) else {
                throw .databaseDamaged("the position of a chunk of a file is missing")
            }
            body(
                try buffer.read(
                    layout.byteCount(of: chunk), of: base.open.file, from: slot,
                    as: ChunkPlace(chunk: chunk, generation: run.generation)))
        }
    }
}

extension StoreReader {
    /// Returns the base of a write to a path.
    ///
    /// - Parameter isWritten: Returns whether another write goes to the file of a content.
    /// - Throws: `.fileNotFound` if the write begins at an offset and no file has the path; `.alreadyExists` if the
    ///   path is a directory; `.parentDirectoryNotFound`, `.fileDamaged`.
    func writeBase(
        _ goal: FileWriteGoal, _ folder: VaultFolder, isWritten: (ContentID) -> Bool
    ) throws(StoreError) -> WriteBase {
        guard case .file(let request) = goal else { return .nothing }
        return try readSnapshot { connection throws(StoreError) in
            guard let row = try FileRow.find(request.path, connection) else {
                try Self.expectPlace(for: request, connection)
                return .nothing
            }
            guard case .file(let number, _) = row.kind else { throw FileTreeWrites.pathExists }
            guard request.place != .whole else { return .nothing }
            switch try FileContents.place(of: number, connection) {
            case .database:
                return .database(number: number, bytes: try FileContents.bytes(of: number, connection))
            case .vault(let content):
                return .vault(try Self.stored(content, connection, folder, isWritten: isWritten))
            }
        }
    }

    /// Returns whether a file still has the content with which a write began.
    func isAsBefore(_ write: FileWrite) throws(StoreError) -> Bool {
        guard let (path, expectation) = write.expectedFile else { return true }
        return try readSnapshot { connection throws(StoreError) in
            try expectation.holds(FileRow.find(path, connection), connection)
        }
    }

    private static func expectPlace(
        for request: FileWriteRequest, _ connection: Connection
    ) throws(StoreError) {
        guard !request.path.isRoot else { throw FileTreeWrites.pathExists }
        if case .offset = request.place {
            throw .fileNotFound
        }
        for place in request.path.ancestors {
            if let row = try FileRow.find(place, connection) {
                guard row.isDirectory else { throw .parentDirectoryNotFound }
            } else if !place.isRoot {
                guard request.createsParents else { throw .parentDirectoryNotFound }
                return
            }
        }
    }

    private static func stored(
        _ content: VaultContent, _ connection: Connection, _ folder: VaultFolder, isWritten: (ContentID) -> Bool
    ) throws(StoreError) -> WriteBase.StoredBase {
        let all = 0..<content.layout.chunkCount
        let runs = try ChunkRunRows.read(all, of: content.number, connection)
        let isShared = try FileContents.state(of: content.number, connection).isShared
        let file = try folder.open(content.header, under: content.key.key)
        return WriteBase.StoredBase(
            content: content, open: OpenContent(content.header.id, content.key, file), runs: runs,
            freedSlots: try FreedSlotRows.read(of: content.number, connection),
            isWrittenInPlace: !isShared && !content.isKeyWornOut && runs.count <= EngineLimits.fileRunsMax
                && !isWritten(content.header.id))
    }
}
