import SQLCipher
import StoreBasics
import StoreCrypto

/// The writer's access to contents in the vault: it reads contents to publish, and writes received ones, a few chunks
/// at a time. Only the thread that holds the writer lock may use it.
final class WriterVault: TransactionCache {
    /// The most contents whose digest is computed while they are read or received. To begin one more, another digest is
    /// given up; the content of that digest is read again when it is complete.
    private static let digestsMax = 8

    private let directory: StateDirectory
    private let files: OpenFiles
    private let generation: () -> UInt64
    /// Receives the contents whose files no row refers to any more.
    private let released: (ReleasedContents) -> Void
    let stagedIDs: StagedContentIDs
    private var contents: OpenContents?
    private var folder: VaultFolder?
    private var digests: [Int64: RunningDigest] = [:]
    private var staged: OpenContent?
    private var isUnsynced = false
    /// The contents whose files the open transaction has created.
    private(set) var begun: [ContentID] = []
    private var buffer = ChunkBuffer()

    /// - Parameter generation: Returns the generation of the open store.
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

    /// Forgets the created files, because rows of the committed transaction now refer to them.
    func committed() {
        begun.removeAll()
    }

    /// Releases the contents that the transaction created, because no row refers to them.
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

    /// Returns bytes of a content.
    ///
    /// - Parameter range: A range within the content; not empty, at most a few chunks.
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

    /// Returns the running digest of one generation of a content; an empty one if nothing was digested yet.
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

    /// Creates the file of a content of which the first piece was received.
    func begin(_ header: ContentHeader, _ key: SharedContentKey) throws(StoreError) {
        try sync()
        stagedIDs.insert(header.id)
        begun.append(header.id)
        let folder = try openFolder()
        let file = try folder.create(header, under: key.key)
        staged = OpenContent(header.id, key, file)
        try folder.syncFolder(of: header.id)
    }

    /// Writes consecutive chunks.
    ///
    /// - Parameter bytes: Whole chunks, except the last chunk of the content.
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

    /// Makes the file that was used last durable. This must happen before its rows are committed.
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

/// The digest of the first bytes of a content, for one generation of its file.
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

    /// Returns the digest. May be called once.
    func finish() -> AttachmentDigest {
        AttachmentDigest(trusted: digest.take()?.finish() ?? [])
    }
}
