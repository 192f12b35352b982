import Glibc
import StoreBasics
import StoreClient

/// Goes through a tree of the vault, each directory before what it holds, by the bytes of names.
struct VaultWalk {
    private let client: StoreClient

    init(_ client: StoreClient) {
        self.client = client
    }

    func visit(_ root: VaultPath, _ body: (VaultPath, VaultItem) async throws -> Void) async throws {
        for try await item in client.vaultItems(in: root) {
            let place = root.appending(item.name)
            try await body(place, item)
            if item.kind == .directory {
                try await visit(place, body)
            }
        }
    }
}

/// How much was found or moved.
struct FileTally {
    private var fileCount = 0
    private var directoryCount = 0
    private var byteCount: UInt64 = 0

    mutating func count(_ item: VaultItem) {
        if item.kind == .directory {
            countDirectory()
        } else {
            count(bytes: item.contentBytes)
        }
    }

    mutating func count(bytes: UInt64) {
        fileCount += 1
        byteCount += bytes
    }

    mutating func countDirectory() {
        directoryCount += 1
    }

    /// Of all files so far.
    var bytes: UInt64 { byteCount }

    var sentence: String {
        let files = "\(Quantity.count(fileCount, "file")) of \(Quantity.bytes(byteCount))"
        return directoryCount == 0
            ? files : files + " and " + Quantity.count(directoryCount, "directory", "directories")
    }

    func json(_ first: JSONObject) -> JSONObject {
        var object = first
        object.add("files", fileCount)
        object.add("directories", directoryCount)
        object.add("bytes", byteCount)
        return object
    }
}

/// Puts files of this machine into the vault.
struct FilePut {
    private let client: StoreClient
    private let bar: ProgressBar
    private(set) var tally = FileTally()
    private(set) var skippedCount = 0

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
        let first = try file.readChunk(bytes: StoreClient.filePieceBytesMax)
        guard first.count == StoreClient.filePieceBytesMax else {
            try await client.saveFile(first, at: place, createsParents: createsParents)
            return count(UInt64(first.count))
        }
        var writer = try await client.beginFileWrite(at: place, createsParents: createsParents)
        do {
            var piece = first
            while !piece.isEmpty {
                try await writer.write(piece)
                bar.update(done: tally.bytes + writer.offset, total: file.bytes.map { tally.bytes + $0 })
                piece = try file.readChunk(bytes: StoreClient.filePieceBytesMax)
            }
            try await writer.finish()
        } catch {
            try? await writer.end()
            throw error
        }
        count(writer.offset)
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
        try await putEntries(of: folder, at: place)
    }

    private mutating func putEntries(of folder: borrowing HostFolder, at place: VaultPath) async throws {
        for name in try folder.names() {
            guard let name else {
                skip(folder.path, "has a name that is not UTF-8")
                continue
            }
            switch try folder.entry(name) {
            case .folder(let inner):
                try await makeDirectory(place.appending(name), createsParents: false)
                try await putEntries(of: inner, at: place.appending(name))
            case .file(let file):
                try await save(file, at: place.appending(name))
            case .other(let what):
                skip("\(folder.path)/\(name)", what)
            }
        }
    }

    private mutating func makeDirectory(_ place: VaultPath, createsParents: Bool) async throws {
        do throws(StoreClientError) {
            try await client.createDirectory(at: place, createsParents: createsParents)
        } catch {
            // A file of this name shows when the first thing is put into it.
            guard error.reason == .alreadyExists else { throw error }
        }
        tally.countDirectory()
    }

    private mutating func skip(_ path: String, _ what: String) {
        skippedCount += 1
        Diagnostics.write("left out: \(path) \(what)")
    }
}

/// Gets directories of the vault into folders of this machine.
struct FileGet {
    private let client: StoreClient
    private let bar: ProgressBar
    private let replacesExisting: Bool

    init(_ session: Session, replacesExisting: Bool) {
        client = session.client
        bar = session.global.progressBar("getting", .bytes)
        self.replacesExisting = replacesExisting
    }

    func directory(_ path: VaultPath, into target: String) async throws -> FileTally {
        defer { bar.finish() }
        // Refused before a folder is made.
        let first = try await client.vaultItemPage(in: path, limit: 1)
        let folder = try HostFolder(making: target)
        var tally = FileTally()
        if !first.items.isEmpty {
            try await getEntries(of: path, into: folder, &tally)
        }
        return tally
    }

    private func getEntries(
        of path: VaultPath, into folder: borrowing HostFolder, _ tally: inout FileTally
    ) async throws {
        for try await item in client.vaultItems(in: path) {
            try Interruption.check()
            tally.count(item)
            let place = path.appending(item.name)
            if item.kind == .directory {
                try await getEntries(of: place, into: try folder.makeFolder(item.name), &tally)
            } else {
                let file = try folder.makeFile(item.name, replacesExisting: replacesExisting)
                let writer = DescriptorWriter(descriptor: file.descriptor)
                for try await chunk in client.fileChunks(at: place) {
                    try writer.write(chunk)
                }
                try writer.flush()
                try file.commit()
                bar.update(done: tally.bytes, total: nil)
            }
        }
    }
}
