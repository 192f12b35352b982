import StoreClient

/// Gets directories of the vault into folders of this machine.
struct FileGet {
    /// A file of the vault that is in memory.
    private struct ReadFile {
        let place: VaultPath
        let name: String
        /// `nil` for a damaged one.
        let bytes: [UInt8]?
    }

    private typealias Lanes = ThrowingTaskGroup<ReadFile, any Error>

    /// Small files that are on their way at once.
    private static let lanesMax = 12
    private static let laneBytesMax: UInt64 = 256 << 10

    private let client: StoreClient
    private let bar: ProgressBar
    private let replacesExisting: Bool
    private var tally = FileTally()
    /// Files that were left out: the others are worth the more.
    private(set) var damagedCount = 0
    /// Complete, and not in their places yet.
    private var unplaced = UnplacedFiles()

    init(_ session: Session, replacesExisting: Bool) {
        client = session.client
        bar = session.global.progressBar("getting", .bytes)
        self.replacesExisting = replacesExisting
    }

    mutating func directory(_ path: VaultPath, into target: String) async throws -> FileTally {
        defer { bar.finish() }
        // Refused before a folder is made.
        let first = try await client.vaultItemPage(in: path, limit: 1)
        let folder = try HostFolder(making: target)
        do {
            if !first.items.isEmpty {
                try await getEntries(of: path, into: folder)
            }
        } catch {
            // What is whole is kept.
            try? unplaced.place(on: folder)
            throw error
        }
        try unplaced.place(on: folder)
        try folder.syncFileSystem()
        return tally
    }

    private mutating func getEntries(of path: VaultPath, into folder: borrowing HostFolder) async throws {
        try await withThrowingTaskGroup(of: ReadFile.self) { lanes in
            var laneCount = 0
            for try await item in client.vaultItems(in: path) {
                try Interruption.check()
                let place = path.appending(item.name)
                if item.kind == .directory {
                    // One directory's lanes at a time, and what comes before a failure is kept.
                    try await keepAll(&lanes, in: folder)
                    laneCount = 0
                    tally.count(item)
                    try await getEntries(of: place, into: try folder.makeFolder(item.name))
                } else if item.contentBytes > Self.laneBytesMax {
                    try await getPieces(of: place, named: item.name, into: folder)
                } else {
                    if laneCount == Self.lanesMax, let file = try await lanes.next() {
                        laneCount -= 1
                        try keep(file, in: folder)
                    }
                    laneCount += 1
                    lanes.addTask { [client] in
                        let bytes = try await Self.unlessDamaged { try await client.readFile(at: place) }
                        return ReadFile(place: place, name: item.name, bytes: bytes)
                    }
                }
            }
            try await keepAll(&lanes, in: folder)
        }
    }

    private mutating func keepAll(_ lanes: inout Lanes, in folder: borrowing HostFolder) async throws {
        while let file = try await lanes.next() {
            try keep(file, in: folder)
        }
    }

    private mutating func keep(_ read: ReadFile, in folder: borrowing HostFolder) throws {
        guard let bytes = read.bytes else { return leaveOut(read.place) }
        let file = try folder.makeFile(read.name, replacesExisting: replacesExisting)
        let writer = DescriptorWriter(descriptor: file.descriptor)
        try writer.write(bytes)
        try writer.flush()
        tally.count(bytes: UInt64(bytes.count))
        try finish(file, in: folder)
    }

    /// A file of which a few pieces are in memory at a time.
    private mutating func getPieces(
        of place: VaultPath, named name: String, into folder: borrowing HostFolder
    ) async throws {
        let file = try folder.makeFile(name, replacesExisting: replacesExisting)
        let writer = DescriptorWriter(descriptor: file.descriptor)
        let bytes = try await Self.unlessDamaged {
            var bytes: UInt64 = 0
            for try await chunk in client.fileChunks(at: place) {
                try writer.write(chunk)
                bytes += UInt64(chunk.count)
            }
            return bytes
        }
        guard let bytes else { return leaveOut(place) }
        try writer.flush()
        tally.count(bytes: bytes)
        try finish(file, in: folder)
    }

    private static func unlessDamaged<Value>(_ read: () async throws -> Value) async throws -> Value? {
        do {
            return try await read()
        } catch let error as StoreClientError where error.reason == .fileDamaged {
            return nil
        }
    }

    private mutating func leaveOut(_ place: VaultPath) {
        damagedCount += 1
        Diagnostics.warn("\(place) is damaged: left out")
    }

    private mutating func finish(_ file: consuming NewFile, in folder: borrowing HostFolder) throws {
        bar.update(done: tally.bytes, total: nil)
        try unplaced.add(file, of: folder)
    }
}
