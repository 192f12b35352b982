import SQLCipher
import StoreBasics
import StoreCrypto

/// What the writer reads of contents in the vault, and writes of those that come in: a few chunks at a time. Used by
/// who has the writer's seat.
final class WriterVault: TransactionCache {
    /// Contents whose digest is computed as they are read or come in. Of more, some are read again at their end.
    private static let digestsMax = 8

    private let directory: StateDirectory
    private let files: OpenFiles
    private let generation: () -> UInt64
    /// Gets contents whose files no row names any more.
    private let released: (ReleasedContents) -> Void
    let stagedIDs: StagedContentIDs
    private var contents: OpenContents?
    private var folder: VaultFolder?
    private var digests: [Int64: RunningDigest] = [:]
    private var staged: OpenContent?
    private var isUnsynced = false
    /// Contents whose files the open transaction has made.
    private(set) var begun: [ContentID] = []
    private var buffer = ChunkBuffer()

    /// - Parameter generation: of the open store.
    init(
        _ directory: StateDirectory, _ files: OpenFiles, _ stagedIDs: StagedContentIDs,
        generation: @escaping () -> UInt64, released: @escaping (ReleasedContents) -> Void
    ) {
        self.directory = directory
        self.files = files
        self.stagedIDs = stagedIDs
        self.generation = generation
        self.released = released
    }

    func closed() {
        contents = nil
        folder = nil
        digests = [:]
        staged = nil
        isUnsynced = false
        begun = []
    }

    /// The rows of the transaction name the files that it has created.
    func committed() {
        begun.removeAll()
    }

    /// Hands on the contents whose files no row names.
    func rolledBack(_ extent: RollbackExtent) {
        defer { begun.removeAll() }
        if let staged, begun.contains(staged.id) {
            self.staged = nil
            isUnsynced = false
        }
        if !begun.isEmpty {
            released(.some(begun))
        }
    }

    // MARK: Reading

    /// - Parameter range: within the content; not empty, and of a few chunks.
    /// - Throws: `.fileDamaged`.
    func read(
        _ range: Range<UInt64>, of stored: VaultContent, _ connection: Connection
    ) throws(StoreError) -> [UInt8] {
        let runs = try ChunkRunRows.read(stored.layout.chunks(of: range), of: stored.number, connection)
        let contents = openContents()
        var bytes: [UInt8] = []
        while bytes.count < range.count {
            let rest = (range.lowerBound + UInt64(bytes.count))..<range.upperBound
            let part = try contents.read(rest, of: stored, runs, .ofScan)
            guard !part.isEmpty else { throw .fileDamaged("the content ends too early") }
            bytes += part
        }
        return bytes
    }

    private func openContents() -> OpenContents {
        if let contents { return contents }
        let opened = OpenContents(directory, files, generation: generation())
        contents = opened
        return opened
    }

    // MARK: Digests

    /// What was read of a write of a content, or has come in; from the start where nothing is known.
    func digest(of content: Int64, _ generation: UInt64) -> RunningDigest {
        if let running = digests[content], running.generation == generation { return running }
        if digests.count >= Self.digestsMax, let other = digests.keys.first {
            digests[other] = nil
        }
        let running = RunningDigest(generation)
        digests[content] = running
        return running
    }

    func forgetDigest(of content: Int64) {
        digests[content] = nil
    }

    // MARK: Writing

    /// A new file for a content that comes in, with its first chunks.
    func begin(_ header: ContentHeader, _ key: SharedContentKey) throws(StoreError) {
        try sync()
        stagedIDs.insert(header.id)
        begun.append(header.id)
        let folder = try openFolder()
        let file = try folder.create(header, under: key.key)
        staged = OpenContent(header.id, key, file)
        try folder.syncFolder(of: header.id)
    }

    /// - Parameter bytes: whole chunks but for the content's last.
    func write(
        _ bytes: [UInt8], from firstChunk: UInt64, of header: ContentHeader, _ key: SharedContentKey,
        _ generation: UInt64
    ) throws(StoreError) {
        let open = try openStaged(header, key)
        let memory = buffer.bytes(open.file.slotBytes)
        var chunk = firstChunk
        var rest = bytes[...]
        while !rest.isEmpty {
            let plaintext = rest.prefix(open.file.chunkBytes)
            let place = open.file.plaintextRange(plaintext.count)
            UnsafeMutableRawBufferPointer(rebasing: memory[place]).copyBytes(from: plaintext)
            try open.file.write(
                plaintext.count, from: memory, to: chunk, as: ChunkPlace(chunk: chunk, generation: generation))
            rest = rest.dropFirst(plaintext.count)
            chunk += 1
        }
        isUnsynced = true
    }

    /// Makes durable what was written to the file used last: before its rows are.
    func sync() throws(StoreError) {
        guard isUnsynced, let staged else { return }
        try staged.file.sync()
        isUnsynced = false
    }

    private func openStaged(_ header: ContentHeader, _ key: SharedContentKey) throws(StoreError) -> OpenContent {
        if let staged, staged.id == header.id { return staged }
        try sync()
        stagedIDs.insert(header.id)
        let opened = OpenContent(header.id, key, try openFolder().open(header, under: key.key))
        staged = opened
        return opened
    }

    private func openFolder() throws(StoreError) -> VaultFolder {
        if let folder { return folder }
        let opened = try VaultFolder(in: directory)
        try opened.syncNames()
        folder = opened
        return opened
    }
}

/// The digest of the first bytes of a content, as one write has left it.
final class RunningDigest {
    let generation: UInt64
    private(set) var byteCount: UInt64 = 0
    private var digest: ContentDigest? = ContentDigest()

    init(_ generation: UInt64) {
        self.generation = generation
    }

    func update(_ bytes: [UInt8]) {
        digest?.update(bytes)
        byteCount += UInt64(bytes.count)
    }

    /// Once.
    func finish() -> AttachmentDigest {
        AttachmentDigest(trusted: digest.take()?.finish() ?? [])
    }
}
