import StoreClient

/// Copies files of this machine into the vault.
struct FilePut {
    /// The result for a small file: the number of bytes, or the reason for the failure.
    private struct Sent {
        let place: VaultPath
        let bytes: Result<Int, StoreClientError>
    }

    private typealias Lanes = ThrowingTaskGroup<Sent, any Error>

    /// The number of small files that are sent at the same time. The daemon commits concurrent writes together.
    private static let lanesMax = 12

    private let client: StoreClient
    private let bar: ProgressBar
    private(set) var tally = FileTally()
    private(set) var skippedCount = 0
    private(set) var failures = FileFailures(readsHost: true)
    private var laneCount = 0

    init(_ session: Session) {
        client = session.client
        bar = session.global.progressBar("putting", .bytes)
    }

    var skippedSentence: String {
        (skippedCount == 0 ? "" : "; \(skippedCount) left out") + failures.sentence
    }

    func finish() {
        bar.finish()
    }

    /// Copies a file, with one piece of it in memory at a time.
    ///
    /// - Parameter allowsEmpty: False to reject an empty standard input that would replace a file.
    mutating func save(
        _ file: borrowing InputFile, at place: VaultPath, createsParents: Bool, allowsEmpty: Bool
    ) async throws {
        let first = try file.readChunk(bytes: StoreClient.filePieceBytes)
        if !allowsEmpty, file.isSuspiciouslyEmpty(first), try await holdsSomething(place) {
            throw EmptyInputOptions.refusal(of: file.name)
        }
        if first.count < StoreClient.filePieceBytes {
            try await client.saveFile(first, at: place, createsParents: createsParents)
            count(UInt64(first.count))
        } else {
            try await savePieces(first, of: file, at: place, createsParents: createsParents)
        }
    }

    /// Returns whether a file that is not empty may exist at a path; true if this user has no right to read there.
    private func holdsSomething(_ place: VaultPath) async throws(StoreClientError) -> Bool {
        do throws(StoreClientError) {
            let item = try await client.vaultItem(at: place)
            return item.kind == .file && item.contentBytes > 0
        } catch {
            guard error.code != .permissionDenied else { return true }
            guard error.code == .notFound || error.code == .invalidArgument else { throw error }
            return false
        }
    }

    private mutating func savePieces(
        _ first: [UInt8], of file: borrowing InputFile, at place: VaultPath, createsParents: Bool
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

    /// Copies a folder with its contents into the directory at the path.
    mutating func folder(_ path: String, at place: VaultPath, createsParents: Bool) async throws {
        let folder = try HostFolder(path)
        if !place.isRoot {
            try await makeDirectory(place, createsParents: createsParents)
        }
        try await withThrowingTaskGroup(of: Sent.self) { lanes in
            try await putEntries(of: folder, at: place, &lanes)
            while let sent = try await lanes.next() {
                try count(sent)
            }
        }
    }

    private mutating func count(_ sent: Sent) throws {
        do {
            count(UInt64(try sent.bytes.get()))
        } catch {
            try failures.reportFailure(error, of: sent.place)
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
            let entryPlace = place.appending(name)
            do {
                try await putEntry(name, of: folder, at: entryPlace, &lanes)
            } catch {
                try failures.reportFailure(error, of: entryPlace)
            }
        }
    }

    private mutating func putEntry(
        _ name: String, of folder: borrowing HostFolder, at place: VaultPath, _ lanes: inout Lanes
    ) async throws {
        switch try folder.entry(name) {
        case .folder(let inner):
            try await makeDirectory(place, createsParents: false)
            tally.countDirectory()
            try await putEntries(of: inner, at: place, &lanes)
        case .file(let file):
            try await put(file, at: place, &lanes)
        case .other(let what):
            skip("\(folder.path)/\(name)", what)
        }
    }

    /// Copies a file. A small one is sent concurrently with others.
    private mutating func put(
        _ file: borrowing InputFile, at place: VaultPath, _ lanes: inout Lanes
    ) async throws {
        let first = try file.readChunk(bytes: StoreClient.filePieceBytes)
        guard first.count < StoreClient.filePieceBytes else {
            return try await savePieces(first, of: file, at: place, createsParents: false)
        }
        if laneCount == Self.lanesMax, let sent = try await lanes.next() {
            laneCount -= 1
            try count(sent)
        }
        laneCount += 1
        lanes.addTask { [client] in
            do throws(StoreClientError) {
                try await client.saveFile(first, at: place)
                return Sent(place: place, bytes: .success(first.count))
            } catch {
                return Sent(place: place, bytes: .failure(error))
            }
        }
    }

    /// Creates a directory, or keeps an existing one. Throws if the path belongs to a file. If this user has no right
    /// to read, the program cannot find out here that the path belongs to a file; then each file below the path fails.
    private func makeDirectory(_ place: VaultPath, createsParents: Bool) async throws(StoreClientError) {
        do throws(StoreClientError) {
            try await client.createDirectory(at: place, createsParents: createsParents)
        } catch {
            guard error.reason == .alreadyExists else { throw error }
            guard (try? await client.vaultItem(at: place))?.kind != .file else { throw error }
        }
    }

    private mutating func skip(_ path: String, _ what: String) {
        skippedCount += 1
        Diagnostics.write("left out: \(path) \(what)")
    }
}
