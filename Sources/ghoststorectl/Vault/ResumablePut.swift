import Glibc
import StoreBasics
import StoreClient

/// Copies a file of this machine into the vault in segments, so that an interrupted copy can be resumed. The segments
/// are written to a file beside the target path, which is moved to that path when it is complete. Existing segments are
/// read back and compared, so that bytes of different files are never combined.
struct ResumablePut {
    /// The size of the smallest segment. A segment is durable once it is written. Large files have larger segments,
    /// because each segment is a part of the file's content and a file should have about 256 of them at most.
    private static let segmentBytesMin: UInt64 = 16 << 20
    private static let segmentsMax: UInt64 = 256
    /// The suffix that follows the name of the target in the name of the file that receives the segments.
    static let suffix = ".put-partial"

    private let client: StoreClient
    private let bar: ProgressBar
    private let place: VaultPath
    private let partial: VaultPath

    init(_ session: Session, to place: VaultPath) throws(CommandFailure) {
        client = session.client
        bar = session.global.progressBar("putting", .bytes)
        self.place = place
        guard !place.isRoot else {
            throw CommandFailure(.usage, "\(place) is an area, not a file; hint: name a path in it")
        }
        let name = FilePlacement.name(place.name, with: Self.suffix, bytesMax: FilePlacement.nameBytesMax)
        partial = place.parent.appending(name)
    }

    /// - Returns: The number of bytes that an earlier run had already copied.
    func save(_ file: borrowing InputFile, createsParents: Bool) async throws -> UInt64 {
        defer { bar.finish() }
        guard let total = file.bytes else {
            throw CommandFailure(
                .usage,
                """
                \(file.name) is not a regular file, so its transfer cannot be resumed; hint: name a regular file
                """)
        }
        let before = try file.writtenAt()
        let client = client.with(history: try await client.hello().historyID)
        let (there, compared) = try await bytesThere(of: file, total, client)
        var (offset, revision) = (there, compared)
        let segmentBytes = max(Self.segmentBytesMin, total / Self.segmentsMax)
        repeat {
            let count = min(segmentBytes, total - offset)
            if count > 0 || offset == 0 {
                revision = try await putSegment(
                    of: file, from: offset, count, total, createsParents, behind: revision, client)
            }
            offset += count
        } while offset < total
        guard try file.writtenAt() == before, try file.readChunk(bytes: 1).isEmpty else {
            throw CommandFailure(
                .temporary,
                """
                \(file.name) changed while it was sent; hint: run the command again when no program writes to the \
                file
                """)
        }
        try await expect(revision, total, of: file, client)
        try await client.moveFile(from: partial, to: place)
        return there
    }

    /// Throws unless the partial file is unchanged since this program compared or wrote it.
    private func expect(
        _ revision: UInt64, _ byteCount: UInt64, of file: borrowing InputFile, _ client: StoreClient
    ) async throws {
        let item = try await client.vaultItem(at: partial)
        guard item.kind == .file, item.revision == revision, item.contentBytes == byteCount else {
            throw isAnother(file)
        }
    }

    /// Reads back and compares the existing bytes. The next read of the local file starts after these bytes.
    ///
    /// - Returns: The number of bytes, and the revision of the partial file that was compared.
    private func bytesThere(
        of file: borrowing InputFile, _ total: UInt64, _ client: StoreClient
    ) async throws -> (bytes: UInt64, revision: UInt64) {
        let item: VaultItem
        do throws(StoreClientError) {
            item = try await client.vaultItem(at: partial)
        } catch {
            guard error.reason == .fileNotFound else { throw error }
            return (0, 0)
        }
        guard item.kind == .file, item.contentBytes <= total else { throw isAnother(file) }
        var compared: UInt64 = 0
        for try await chunk in client.fileChunks(at: partial, expecting: item.revision) {
            guard try file.readChunk(bytes: chunk.count) == chunk else { throw isAnother(file) }
            compared += UInt64(chunk.count)
            bar.update(done: compared, total: total)
        }
        return (compared, item.revision)
    }

    private func isAnother(_ file: borrowing InputFile) -> CommandFailure {
        CommandFailure(
            .badData,
            """
            \(partial) is not the beginning of \(file.name): \(file.name) has changed, or \(partial) is a part of \
            another file; hint: examine \(partial), and move it away
            """
        )
    }

    private func putSegment(
        of file: borrowing InputFile, from offset: UInt64, _ count: UInt64, _ total: UInt64, _ createsParents: Bool,
        behind revision: UInt64, _ client: StoreClient
    ) async throws -> UInt64 {
        let writer = try await client.beginFileWrite(
            at: partial, offset == 0 ? .whole : .offset(offset), createsParents: createsParents,
            byteCount: Int(clamping: count))
        return try await writer.endingOnFailure { writer in
            // The revision is compared after this write has begun. If another client changes the file later, the daemon
            // rejects this write when it is finished. Only this comparison detects a change before the write has begun.
            if offset > 0 {
                try await expect(revision, offset, of: file, client)
            }
            while writer.offset < count {
                let wanted = Int(min(count - writer.offset, UInt64(StoreClient.filePieceBytes)))
                let piece = try file.readChunk(bytes: wanted)
                guard !piece.isEmpty else {
                    throw CommandFailure(
                        .temporary,
                        """
                        \(file.name) became shorter while it was sent; hint: run the command again
                        """)
                }
                try await writer.write(piece)
                bar.update(done: offset + writer.offset, total: total)
            }
            return try await writer.finish().revision
        }
    }
}

extension InputFile {
    /// Returns the time of the last modification and the size.
    fileprivate borrowing func writtenAt() throws(CommandFailure) -> [Int] {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            throw CommandFailure(.inputOutput, "cannot examine \(name): \(SystemError.last)")
        }
        return [Int(facts.st_size), facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec]
    }
}
