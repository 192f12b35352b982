import StoreClient

/// Copies directories of the vault into folders of this machine.
struct FileGet {
    /// A file of the vault in memory, or the reason why it could not be read.
    private struct ReadFile {
        let place: VaultPath
        let name: String
        let bytes: Result<[UInt8], StoreClientError>
    }

    private typealias Lanes = ThrowingTaskGroup<ReadFile, any Error>

    /// The number of small files that are read at the same time.
    private static let lanesMax = 12
    private static let laneBytesMax: UInt64 = 256 << 10

    private let client: StoreClient
    private let bar: ProgressBar
    private let replacesExisting: Bool
    private var tally = FileTally()
    private(set) var failures = FileFailures(readsHost: false)
    /// Complete files that do not have their final names yet.
    private var unplaced = UnplacedFiles()

    init(_ session: Session, replacesExisting: Bool) {
        client = session.client
        bar = session.global.progressBar("getting", .bytes)
        self.replacesExisting = replacesExisting
    }

    mutating func directory(_ path: VaultPath, into target: String) async throws -> FileTally {
        defer { bar.finish() }
        // Listed first, so that no folder is created if the directory cannot be read.
        let first = try await client.vaultItemPage(in: path, limit: 1)
        let folder = try HostFolder(making: target)
        do {
            if !first.items.isEmpty {
                try await getEntries(of: path, into: folder)
            }
        } catch {
            // The complete files are kept, although the rest failed.
            _ = try? unplaced.place(on: folder)
            throw error
        }
        try uncountUnplaced(try unplaced.place(on: folder))
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
                    // The files of one directory are completed before the next directory, and the files that were
                    // copied before a failure stay.
                    try await keepAll(&lanes, in: folder)
                    laneCount = 0
                    try await getDirectory(item, at: place, into: folder)
                } else if item.contentBytes > Self.laneBytesMax {
                    try await getPieces(of: place, named: item.name, into: folder)
                } else {
                    if laneCount == Self.lanesMax, let file = try await lanes.next() {
                        laneCount -= 1
                        try keep(file, in: folder)
                    }
                    laneCount += 1
                    lanes.addTask { [client] in
                        do throws(StoreClientError) {
                            let bytes = try await client.readFile(at: place)
                            return ReadFile(place: place, name: item.name, bytes: .success(bytes))
                        } catch {
                            return ReadFile(place: place, name: item.name, bytes: .failure(error))
                        }
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

    private mutating func getDirectory(
        _ item: VaultItem, at place: VaultPath, into folder: borrowing HostFolder
    ) async throws {
        do {
            let inner = try folder.makeFolder(item.name)
            tally.count(item)
            try await getEntries(of: place, into: inner)
        } catch {
            try failures.reportFailure(error, of: place)
        }
    }

    private mutating func keep(_ read: ReadFile, in folder: borrowing HostFolder) throws {
        do {
            let bytes = try read.bytes.get()
            let file = try folder.makeFile(read.name, replacesExisting: replacesExisting, of: read.place)
            let writer = DescriptorWriter(descriptor: file.descriptor)
            try writer.write(bytes)
            try writer.flush()
            try finish(file, UInt64(bytes.count), in: folder)
        } catch {
            try failures.reportFailure(error, of: read.place)
        }
    }

    /// Copies a large file, with a few pieces of it in memory at a time.
    private mutating func getPieces(
        of place: VaultPath, named name: String, into folder: borrowing HostFolder
    ) async throws {
        do {
            let file = try folder.makeFile(name, replacesExisting: replacesExisting, of: place)
            let writer = DescriptorWriter(descriptor: file.descriptor)
            var bytes: UInt64 = 0
            for try await chunk in client.fileChunks(at: place) {
                try writer.write(chunk)
                bytes += UInt64(chunk.count)
            }
            try writer.flush()
            try finish(file, bytes, in: folder)
        } catch {
            try failures.reportFailure(error, of: place)
        }
    }

    private mutating func finish(
        _ file: consuming NewFile, _ bytes: UInt64, in folder: borrowing HostFolder
    ) throws {
        tally.count(bytes: bytes)
        bar.update(done: tally.bytes, total: nil)
        try uncountUnplaced(try unplaced.add(file, bytes, of: folder))
    }

    /// Subtracts the files that could not get their final names from the counts, and reports them as failures.
    private mutating func uncountUnplaced(_ obstacles: [UnplacedFiles.Obstacle]) throws {
        for obstacle in obstacles {
            tally.uncount(bytes: obstacle.bytes)
            try failures.reportFailure(obstacle.failure, of: obstacle.place)
        }
    }
}
