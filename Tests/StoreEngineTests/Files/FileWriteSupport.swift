import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

extension StoreEngine {
    /// Writes a whole file in parts.
    func writeFile(at path: FilePath, _ bytes: [UInt8]) throws {
        let request = FileWriteRequest(path: path, place: .whole, createsParents: true)
        guard case .begun(let id) = try fileWrite(.begin(request)) else {
            throw StoreError(.internal, "a write begins with its id")
        }
        for start in stride(from: 0, to: bytes.count, by: 250_000) {
            try fileWrite(.write(id, offset: UInt64(start), data: Array(bytes[start...].prefix(250_000))))
        }
        try fileWrite(.finish(id))
    }

    @discardableResult
    func fileWrite(
        _ command: FileWriteCommand, user: UInt32 = 7, key: IdempotencyKey? = nil
    ) throws -> FileWriteResult {
        let outcome = OneShot<Result<FileWriteResult, StoreError>>()
        performFileWrite(command, for: WorkOwner(userID: user, connection: 1), idempotencyKey: key) { outcome.set($0) }
        return try outcome.wait().get()
    }

    /// Waits until the work after commits is done: removals of rows and cleaning of the vault.
    func waitForCleaning() throws {
        try writer.waitForRemovals()
        let isDone = OneShot<Bool>()
        try files.begin { writes in
            while writes.workInBackground() {}
            isDone.set(true)
        }
        _ = isDone.wait()
    }
}

extension Writer {
    /// Waits until no rows are left to be removed.
    func waitForRemovals() throws {
        while try perform({ $0.hasRowsToRemove }) {}
    }
}

/// A write in parts, which a test continues step by step.
struct OpenWrite {
    let engine: StoreEngine
    let id: FileWriteID
    var user: UInt32 = 7

    @discardableResult
    func write(_ bytes: [UInt8], at offset: Int) throws -> UInt64 {
        guard
            case .continued(let received) = try engine.fileWrite(
                .write(id, offset: UInt64(offset), data: bytes), user: user)
        else { throw StoreError(.internal, "a piece is answered by how far the write has come") }
        return received
    }

    @discardableResult
    func finish(key: IdempotencyKey? = nil) throws -> Commit {
        guard case .finished(let commit) = try engine.fileWrite(.finish(id), user: user, key: key) else {
            throw StoreError(.internal, "the end of a write is answered by a commit")
        }
        return commit
    }

    func end() throws {
        try engine.fileWrite(.end(id), user: user)
    }
}

extension FileStore {
    static let chunkBytes = EngineLimits.inlineFileBytesMax

    func begin(
        _ path: String, _ place: FileWriteRequest.Place = .whole, createsParents: Bool = false,
        byteCount: Int? = nil, user: UInt32 = 7
    ) throws -> OpenWrite {
        let request = FileWriteRequest(
            path: try Self.path(path), place: place, createsParents: createsParents,
            byteCount: byteCount.map(UInt64.init))
        guard case .begun(let id) = try engine.fileWrite(.begin(request), user: user) else {
            throw StoreError(.internal, "a write begins with its id")
        }
        return OpenWrite(engine: try engine, id: id, user: user)
    }

    /// Writes all bytes in pieces whose size is no multiple of a chunk.
    @discardableResult
    func write(
        _ bytes: [UInt8], to path: String, _ place: FileWriteRequest.Place = .whole, pieceBytes: Int = 50_001,
        byteCount: Int? = nil
    ) throws -> Commit {
        let write = try begin(path, place, byteCount: byteCount)
        for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
            try write.write(Array(bytes[start...].prefix(pieceBytes)), at: start)
        }
        return try write.finish()
    }

    /// Returns the content of a whole file, which takes several reads.
    func bytes(_ path: String) throws -> [UInt8] {
        let reader = try engine.makeReader()
        var bytes: [UInt8] = []
        while true {
            let part = try reader.readFile(at: Self.path(path), from: UInt64(bytes.count), byteCount: nil)
            bytes += part.bytes
            guard case .file(let size) = part.item.kind, bytes.count < size, !part.bytes.isEmpty else { return bytes }
        }
    }

    func vaultFiles() throws -> [String] {
        let path = try store.get().path + "/state/vault"
        guard StateDirectory.isThere(path) else { return [] }
        return try StateDirectory(path: path).fileNames().filter { $0.utf8.count == 2 }.flatMap { folder in
            try StateDirectory(path: path + "/" + folder).fileNames().map { "\(path)/\(folder)/\($0)" }
        }
    }
}

extension StateDirectory {
    fileprivate static func isThere(_ path: String) -> Bool {
        (try? StateDirectory(path: path + "/..").exists(path)) == true
    }
}
