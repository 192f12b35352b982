import SQLCipher

@testable import StoreEngine

/// A store with files, and short functions to use it. Paths are in the area `document`.
struct FileStore {
    let store = Result { try TemporaryStore() }

    var engine: StoreEngine { get throws { try store.get().engine } }

    static func path(_ text: String, _ area: FileArea = .document) throws -> FilePath {
        try FilePath(area, text)
    }

    @discardableResult
    func save(_ path: String, _ text: String = "text", createsParents: Bool = false) throws -> Commit {
        try engine.commit(.saveFile(Self.path(path), Array(text.utf8), createsParents: createsParents))
    }

    @discardableResult
    func append(_ path: String, _ text: String, createsParents: Bool = false) throws -> Commit {
        try engine.commit(.appendFile(Self.path(path), Array(text.utf8), createsParents: createsParents))
    }

    @discardableResult
    func create(_ path: String, createsParents: Bool = false) throws -> Commit {
        try engine.commit(.createDirectory(Self.path(path), createsParents: createsParents))
    }

    @discardableResult
    func remove(_ path: String, withChildren: Bool = false) throws -> Commit {
        try engine.commit(.removeDirectory(Self.path(path), withChildren: withChildren))
    }

    @discardableResult
    func delete(_ path: String) throws -> Commit {
        try engine.commit(.deleteFile(Self.path(path)))
    }

    @discardableResult
    func move(_ origin: String, _ place: String) throws -> Commit {
        try engine.commit(.moveFile(Self.path(origin), to: Self.path(place)))
    }

    @discardableResult
    func copy(_ origin: String, _ place: String) throws -> Commit {
        try engine.commit(.copyFile(Self.path(origin), to: Self.path(place)))
    }

    func text(_ path: String, from offset: UInt64 = 0, byteCount: UInt64? = nil) throws -> String {
        let part = try engine.makeReader().readFile(at: Self.path(path), from: offset, byteCount: byteCount)
        return String(decoding: part.bytes, as: UTF8.self)
    }

    func item(_ path: String) throws -> FileItem? {
        try engine.makeReader().fileItem(at: Self.path(path))
    }

    /// Returns the names in a directory. Names of directories end with a slash.
    func names(_ path: String = "") throws -> [String] {
        try engine.makeReader().files(in: Self.path(path), limit: 1_000, cursor: nil).items.map {
            $0.name.text + ($0.kind == .directory ? "/" : "")
        }
    }

    func changes(after revision: UInt64 = 0) throws -> [String] {
        try engine.makeReader().changes(after: revision, limit: 1_000).changes.map { "\($0.operation) \($0.id)" }
    }

    var revision: UInt64 { get throws { try engine.statistics().revision } }

    func rowCount(_ table: String) throws -> Int {
        try engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return Int(try mapped(connection.integer("SELECT count(*) FROM \(table)")) ?? 0)
        }
    }
}

extension StoreEngine {
    /// Changes the database with SQL that no engine would run.
    func tamper(_ sql: String) throws {
        try writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute(sql))
        }
    }
}
