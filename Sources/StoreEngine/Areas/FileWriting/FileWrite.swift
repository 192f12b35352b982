import StoreBasics
import StoreCrypto

/// One write of a file in parts. Parts arrive in order, full chunks are encrypted and written to unused slots, and the
/// result becomes visible by a commit. Used by one thread only.
final class FileWrite {
    /// The number of unchanged chunks that one step copies.
    private static let chunksPerStep = 64

    private let goal: FileWriteGoal
    private let folder: VaultFolder
    private let base: WriteBase
    /// The offset in the file at which the write begins.
    private let start: UInt64
    private(set) var bytesReceived: UInt64 = 0
    /// The file of the vault that receives the chunks; `nil` as long as everything fits into one chunk, which may be
    /// stored in the database.
    private var target: ContentTarget?
    /// The plaintext of the chunk that is being filled.
    private var pending: [UInt8] = []
    private var pendingChunk: UInt64
    /// The chunks of the base that still have to be copied.
    private var uncopied: [Range<UInt64>] = []
    private var isFlushed = false
    /// True after the client has requested to finish the write. Completing the write may take several steps, and no
    /// part is accepted in between.
    private var isFinishing = false
    private var buffer = ChunkBuffer()
    /// The digest of the received bytes, if they become a content of attachments.
    private var digest: ContentDigest?
    private var finishedDigest: AttachmentDigest?
    private let announce: (ContentID) throws(StoreError) -> Void

    /// - Parameter announce: Receives the id of a new file of the vault before the file is created.
    /// - Throws: `.invalidArgument` for an offset after the end, and for more bytes than a file may have;
    ///   `.fileDamaged`.
    init(
        _ goal: FileWriteGoal, over base: WriteBase, _ folder: VaultFolder,
        announce: @escaping (ContentID) throws(StoreError) -> Void = { (_) in }
    ) throws(StoreError) {
        self.goal = goal
        self.announce = announce
        if case .attachment = goal {
            digest = ContentDigest()
        }
        self.folder = folder
        self.base = base
        switch goal.place {
        case .whole: start = 0
        case .end: start = base.byteCount
        case .offset(let offset):
            guard offset <= base.byteCount else {
                throw .invalidArgument(
                    "the write begins at byte \(offset), after the end of the file, which has \(base.byteCount) bytes")
            }
            start = offset
        }
        guard goal.byteCount ?? 0 <= EngineLimits.fileBytesMax - start else { throw Self.tooLong }
        let chunkBytes = UInt64(base.layout.chunkBytes)
        pendingChunk = start / chunkBytes
        let headBytes = Int(start % chunkBytes)
        guard headBytes > 0 else { return }
        try base.withChunk(pendingChunk, &buffer) { pending.append(contentsOf: $0.prefix(headBytes)) }
    }

    /// The content whose file receives the written chunks in its free slots; `nil` if the write does not change an
    /// existing file.
    var contentWritten: VaultContent? {
        guard case .vault(let stored) = base, stored.isWrittenInPlace else { return nil }
        return stored.content
    }

    /// The id of the content, existing or new, in whose file the write has begun to save chunks; `nil` before the first
    /// chunk.
    var targetID: ContentID? { target?.header.id }

    /// - Returns: The number of bytes received so far.
    /// - Throws: `.invalidArgument` for a part out of order and for more bytes than announced; the write is then
    ///   unchanged. `.diskFull`, `.storageFailed`.
    func write(_ data: [UInt8], at offset: UInt64) throws(StoreError) -> UInt64 {
        try check(data, at: offset)
        digest?.update(data)
        let chunkBytes = base.layout.chunkBytes
        var rest = data[...]
        while !rest.isEmpty {
            if pending.count == chunkBytes {
                try flushPending()
            }
            if pending.isEmpty, rest.count >= chunkBytes, target != nil || rest.count > chunkBytes {
                // Write a whole chunk without copying it to `pending` first. This needs a file in the vault, so it is
                // done only if the content has more than one chunk.
                try flush(rest.prefix(chunkBytes))
                rest = rest.dropFirst(chunkBytes)
                continue
            }
            let part = rest.prefix(chunkBytes - pending.count)
            pending.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
        }
        bytesReceived += UInt64(data.count)
        return bytesReceived
    }

    /// Checks a part before the write is changed.
    func check(_ data: [UInt8], at offset: UInt64) throws(StoreError) {
        guard !isFinishing else {
            throw .invalidArgument(
                """
                the write accepts no more pieces, because its end was already requested; request the end again, or \
                cancel this write and begin another write
                """)
        }
        guard offset == bytesReceived else {
            throw .invalidArgument(
                "the piece begins at byte \(offset), but byte \(bytesReceived) comes next; write the pieces in order")
        }
        guard data.count <= EngineLimits.filePieceBytesMax else {
            throw .invalidArgument("the piece has \(data.count) bytes; the limit is \(EngineLimits.filePieceBytesMax)")
        }
        let end = bytesReceived + UInt64(data.count)
        if let announced = goal.byteCount, end > announced {
            throw .invalidArgument("the write would be longer than the announced \(announced) bytes")
        }
        guard end <= EngineLimits.fileBytesMax - start else { throw Self.tooLong }
    }

    private static var tooLong: StoreError {
        .invalidArgument("the file would have more than \(EngineLimits.fileBytesMax) bytes")
    }

    /// Returns the path, and the length that the file will have after `count` more bytes; `nil` if the write has no
    /// path, or if its length was announced at the beginning.
    func growth(by count: Int) -> (path: FilePath, byteCount: UInt64)? {
        guard case .file(let request) = goal, request.byteCount == nil else { return nil }
        return (request.path, max(base.byteCount, start + bytesReceived + UInt64(count)))
    }

    /// The path and the announced length of the file; `nil` if the length was not announced or the write has no path.
    var announcedGrowth: (path: FilePath, byteCount: UInt64)? {
        guard case .file(let request) = goal, let announced = request.byteCount else { return nil }
        return (request.path, max(base.byteCount, start + announced))
    }

    /// Checks, before the write is changed, that all announced bytes were received.
    ///
    /// - Throws: `.invalidArgument` if bytes are missing.
    func checkIsWhole() throws(StoreError) {
        if let announced = goal.byteCount, bytesReceived < announced {
            throw .invalidArgument("the write has \(bytesReceived) of the announced \(announced) bytes; write the rest")
        }
    }

    /// Performs one step of completing the write. The thread calls it until there is a result, with other requests in
    /// between.
    ///
    /// - Returns: `nil` if more steps are necessary.
    /// - Throws: The same as `checkIsWhole`; `.invalidArgument` if the bytes do not have the announced digest; errors
    ///   of writing.
    func finishStep() throws(StoreError) -> FileCompletion? {
        try checkIsWhole()
        isFinishing = true
        if !isFlushed {
            if let content = try contentWithoutTarget() {
                return try completion(content)
            }
            try flushLast()
        }
        guard try copySome() else { return nil }
        guard let target else { preconditionFailure("the target of a write of more than one chunk is missing") }
        try target.sync()
        return try completion(content(of: target))
    }

    /// Deletes what the write has written.
    func abandon() {
        target?.abandon()
    }

    /// The path of the file, and the content that the file must still have when the write is completed; `nil` for a
    /// write without a path.
    var expectedFile: (path: FilePath, expectation: FileCompletion.Expectation)? {
        guard case .file(let request) = goal else { return nil }
        return (request.path, request.place == .whole ? .anything : base.expectation)
    }

    private func completion(_ content: FileCompletion.Content) throws(StoreError) -> FileCompletion {
        switch goal {
        case .file(let request):
            let expectation = request.place == .whole ? .anything : base.expectation
            return FileCompletion(
                goal: .file(request.path, createsParents: request.createsParents, expectation), content: content)
        case .attachment(let request):
            let digest = finishedDigest ?? AttachmentDigest(trusted: digest.take()?.finish() ?? [])
            finishedDigest = digest
            guard request.digest == nil || request.digest == digest else {
                throw .invalidArgument("the written bytes do not have the announced digest; write them again")
            }
            return FileCompletion(goal: .attachment(digest, byteCount: byteCount), content: content)
        }
    }

    /// The length that the file will have.
    private var byteCount: UInt64 { max(base.byteCount, start + bytesReceived) }

    /// Returns the content if it needs no file in the vault; otherwise `nil`.
    private func contentWithoutTarget() throws(StoreError) -> FileCompletion.Content? {
        if bytesReceived == 0, goal.place != .whole, !base.isNothing {
            return .unchanged
        }
        guard target == nil, byteCount <= UInt64(EngineLimits.inlineFileBytesMax), !base.isInVault else { return nil }
        try mergeRest()
        return .database(pending)
    }

    private func content(of target: ContentTarget) -> FileCompletion.Content {
        let runs = ChunkMapChange(writing: target.runs.sorted { $0.chunks.lowerBound < $1.chunks.lowerBound }, over: [])
        guard case .vault(let stored) = base, stored.isWrittenInPlace else {
            return .new(
                NewContent(
                    header: target.header, key: target.key, generation: target.generation, byteCount: byteCount,
                    runs: runs.runs))
        }
        let change = ChunkMapChange(writing: runs.runs, over: stored.runs)
        let (before, after) = (Set(stored.runs), Set(change.runs))
        return .rewritten(
            RewrittenContent(
                number: stored.content.number, generation: target.generation, byteCount: byteCount,
                removedRuns: stored.runs.filter { !after.contains($0) },
                insertedRuns: change.runs.filter { !before.contains($0) }, freedSlots: change.freedSlots,
                chunksSealed: runs.runs.reduce(0) { $0 + UInt64($1.chunks.count) }))
    }

    // MARK: Chunks

    /// Appends to `pending` the bytes that the base has in the same chunk after the written bytes.
    private func mergeRest() throws(StoreError) {
        guard base.layout.byteCount(of: pendingChunk) > pending.count else { return }
        try base.withChunk(pendingChunk, &buffer) { pending.append(contentsOf: $0.dropFirst(pending.count)) }
    }

    private func flushLast() throws(StoreError) {
        if !pending.isEmpty {
            try mergeRest()
            try flushPending()
        }
        let firstChunk = start / UInt64(base.layout.chunkBytes)
        let all = base.chunksToCopy
        uncopied = [
            all.clamped(to: 0..<firstChunk), all.clamped(to: max(firstChunk, pendingChunk)..<UInt64.max),
        ].filter { !$0.isEmpty }
        isFlushed = true
    }

    /// Writes the bytes in `pending` as a chunk, and empties `pending`.
    private func flushPending() throws(StoreError) {
        try flush(pending[...])
        pending.removeAll(keepingCapacity: true)
    }

    /// Writes the chunk with the number `pendingChunk`, and advances this number.
    private func flush(_ plaintext: ArraySlice<UInt8>) throws(StoreError) {
        let target = try openTarget()
        let buffer = buffer.bytes(target.slotBytes)
        let range = target.plaintextRange(plaintext.count)
        plaintext.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[range]).copyMemory(from: $0) }
        let bytesLeft = goal.byteCount.map { $0 - min($0, bytesReceived) }
        try target.write(
            plaintext.count, of: pendingChunk, from: buffer,
            expectedCount: bytesLeft.map { $0 / UInt64(base.layout.chunkBytes) })
        pendingChunk += 1
    }

    /// - Returns: True if nothing is left to copy.
    private func copySome() throws(StoreError) -> Bool {
        let target = try openTarget()
        var count = 0
        while let range = uncopied.first {
            for chunk in range {
                guard count < Self.chunksPerStep else {
                    uncopied[0] = chunk..<range.upperBound
                    return false
                }
                var copy: [UInt8] = []
                try base.withChunk(chunk, &buffer) { copy.append(contentsOf: $0) }
                let memory = buffer.bytes(target.slotBytes)
                UnsafeMutableRawBufferPointer(rebasing: memory[target.plaintextRange(copy.count)])
                    .copyBytes(from: copy)
                try target.write(
                    copy.count, of: chunk, from: memory, expectedCount: range.upperBound - chunk - 1)
                count += 1
            }
            uncopied.removeFirst()
        }
        return true
    }

    private func openTarget() throws(StoreError) -> ContentTarget {
        if let target {
            return target
        }
        let made: ContentTarget
        if case .vault(let stored) = base, stored.isWrittenInPlace {
            made = ContentTarget(
                stored.content, stored.open, besides: stored.runs.map(\.slots) + stored.freedSlots, folder)
        } else {
            made = try ContentTarget(newIn: folder, announce)
        }
        target = made
        return made
    }
}

extension WriteBase {
    fileprivate var isNothing: Bool {
        if case .nothing = self { true } else { false }
    }

    fileprivate var isInVault: Bool {
        if case .vault = self { true } else { false }
    }
}
