import StoreClient

/// Puts files of this machine into the vault.
struct FilePut {
    /// Each ends with the bytes that it has put.
    private typealias Lanes = ThrowingTaskGroup<Int, any Error>

    /// Small files that are on their way at once: the daemon commits together what comes together.
    private static let lanesMax = 12

    private let client: StoreClient
    private let bar: ProgressBar
    private(set) var tally = FileTally()
    private(set) var skippedCount = 0
    private var laneCount = 0

    init(_ session: Session) {
        client = session.client
        bar = session.global.progressBar("putting", .bytes)
    }

    var skippedSentence: String {
        skippedCount == 0 ? "" : "; \(skippedCount) left out"
    }

    func finish() {
        bar.finish()
    }

    /// A file, of which a piece is in memory at a time.
    mutating func save(
        _ file: borrowing InputFile, at place: VaultPath, createsParents: Bool = false
    ) async throws {
        let first = try file.readChunk(bytes: StoreClient.filePieceBytes)
        if first.count < StoreClient.filePieceBytes {
            try await client.saveFile(first, at: place, createsParents: createsParents)
            count(UInt64(first.count))
        } else {
            try await savePieces(first, of: file, at: place, createsParents: createsParents)
        }
    }

    private mutating func savePieces(
        _ first: [UInt8], of file: borrowing InputFile, at place: VaultPath, createsParents: Bool = false
    ) async throws {
        let writer = try await client.beginFileWrite(at: place, createsParents: createsParents)
        let sent = try await writer.endingOnFailure { writer in
            try await writer.write(first, restOf: file) { sent in
                bar.update(done: tally.bytes + sent, total: file.bytes.map { tally.bytes + $0 })
            }
            try await writer.finish()
            return writer.offset
        }
        count(sent)
    }

    private mutating func count(_ bytes: UInt64) {
        tally.count(bytes: bytes)
        bar.update(done: tally.bytes, total: nil)
    }

    /// A folder with all it holds, into the directory of the place.
    mutating func folder(_ path: String, at place: VaultPath, createsParents: Bool) async throws {
        let folder = try HostFolder(path)
        if !place.isRoot {
            try await makeDirectory(place, createsParents: createsParents)
        }
        try await withThrowingTaskGroup(of: Int.self) { lanes in
            try await putEntries(of: folder, at: place, &lanes)
            while let bytes = try await lanes.next() {
                count(UInt64(bytes))
            }
        }
    }

    private mutating func putEntries(
        of folder: borrowing HostFolder, at place: VaultPath, _ lanes: inout Lanes
    ) async throws {
        for name in try folder.names() {
            guard let name else {
                skip("a file in \(folder.path)", "has a name that is not UTF-8")
                continue
            }
            switch try folder.entry(name) {
            case .folder(let inner):
                try await makeDirectory(place.appending(name), createsParents: false)
                tally.countDirectory()
                try await putEntries(of: inner, at: place.appending(name), &lanes)
            case .file(let file):
                try await put(file, at: place.appending(name), &lanes)
            case .other(let what):
                skip("\(folder.path)/\(name)", what)
            }
        }
    }

    /// A file, in a lane where it is small.
    private mutating func put(
        _ file: borrowing InputFile, at place: VaultPath, _ lanes: inout Lanes
    ) async throws {
        let first = try file.readChunk(bytes: StoreClient.filePieceBytes)
        guard first.count < StoreClient.filePieceBytes else { return try await savePieces(first, of: file, at: place) }
        if laneCount == Self.lanesMax, let bytes = try await lanes.next() {
            laneCount -= 1
            count(UInt64(bytes))
        }
        laneCount += 1
        lanes.addTask { [client] in
            try await client.saveFile(first, at: place)
            return first.count
        }
    }

    private mutating func makeDirectory(_ place: VaultPath, createsParents: Bool) async throws {
        do throws(StoreClientError) {
            try await client.createDirectory(at: place, createsParents: createsParents)
        } catch {
            // A file of this name shows when the first thing is put into it.
            guard error.reason == .alreadyExists else { throw error }
        }
    }

    private mutating func skip(_ path: String, _ what: String) {
        skippedCount += 1
        Diagnostics.write("left out: \(path) \(what)")
    }
}
