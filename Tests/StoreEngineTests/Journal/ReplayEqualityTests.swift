import FoundationEssentials
import SQLCipher
import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that a replay of the journal gives the same rows as the original work.
@Suite struct ReplayEqualityTests {
    private static let seeds: [UInt64] = JournalSpecimen.isWholeWalk ? Array(1...40) : [1, 2, 3]

    @Test(arguments: seeds) func `random work of every area is replayed to the same rows`(_ seed: UInt64) throws {
        let store = try TemporaryStore(attachmentCacheBytesMax: 1_000)
        var work = AnyWork(store.engine, seed: seed)
        try work.make(20)
        // The work after this is only in the journal and the WAL.
        try store.reopen()
        let snapshot = try store.holdSnapshot()
        work = AnyWork(store.engine, seed: seed + 1_000)
        for round in 0..<3 {
            try work.make(40)
            let copy = try CopiedStore(of: store)
            let (dump, records) = try copy.openAndDump()
            #expect(records > 20, "so that there is something to replay")
            #expect(dump.differences(from: copy.original) == [], "seed \(seed), round \(round)")
            #expect(try copy.check() == [])
        }
        snapshot.close()
        #expect(try expectClean(store.engine) == [])
    }

    /// Runs each kind of work in a store of its own, so that a failure shows the kind.
    @Test(arguments: AnyWork.Kind.allCases) func `work of one area is replayed to the same rows`(
        _ kind: AnyWork.Kind
    ) throws {
        let store = try TemporaryStore()
        var work = AnyWork(store.engine, seed: 7)
        try FullStore.fill(store.engine)
        try store.reopen()
        let snapshot = try store.holdSnapshot()
        defer { snapshot.close() }
        work = AnyWork(store.engine, seed: 8)
        // The edits create some of the entities that the work needs.
        for _ in 0..<6 {
            try work.make(.edits)
            try work.make(kind)
        }
        let copy = try CopiedStore(of: store)
        let (dump, records) = try copy.openAndDump()
        #expect(records > 0)
        #expect(dump.differences(from: copy.original) == [])
    }
}

/// A copy of an open store's folder without the WAL, as a kill leaves it, and the rows of the original.
final class CopiedStore {
    let original: DatabaseDump
    private let recordsOfOriginal: UInt64
    private let store: TemporaryStore

    /// Copies the folder on the writer's thread, so that the writer changes nothing meanwhile.
    init(of store: TemporaryStore) throws {
        let copy = try TemporaryStore(open: false)
        copy.engine.shutDown()
        let (from, place) = (store.statePath, copy.statePath)
        (original, recordsOfOriginal) = try store.engine.writer.perform { context throws(StoreError) in
            do {
                try FileManager.default.removeItem(atPath: place)
                try Self.copyFolder(from, to: place)
            } catch {
                throw StoreError(.internal, "a store could not be copied: \(error)")
            }
            return (try DatabaseDump(context.openConnection()), context.committed.record)
        }
        for name in ["store.db-wal", "store.db-shm"] {
            try? FileManager.default.removeItem(atPath: place + "/" + name)
        }
        self.store = copy
    }

    /// Copies a folder while contents of the vault may be erased. A file that has become shorter is copied as it is,
    /// and a deleted file is left out. (`FileManager.copyItem` would wait forever for the missing bytes.)
    private static func copyFolder(_ from: String, to place: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: place, withIntermediateDirectories: false)
        for name in try files.contentsOfDirectory(atPath: from) {
            let (source, target) = (from + "/" + name, place + "/" + name)
            var isFolder = false
            guard files.fileExists(atPath: source, isDirectory: &isFolder) else { continue }
            if isFolder {
                try copyFolder(source, to: target)
            } else if let bytes = files.contents(atPath: source) {
                try #require(files.createFile(atPath: target, contents: bytes))
            }
        }
    }

    /// Opens the copy and reads its rows before any background maintenance.
    ///
    /// - Returns: the rows, and the number of records that the database lacked.
    func openAndDump() throws -> (DatabaseDump, UInt64) {
        let engine = try TemporaryStore.engine(store.path)
        defer { engine.shutDown() }
        let keyring = try #require(try engine.keyringOfStore())
        let unlocked = try keyring.unlock(with: TemporaryStore.keyFile())
        let key = try unlocked.databaseKey(.current)
        engine.keys.set(unlocked, databaseKey: key)
        let opening = engine.writerOpening
        let before = try engine.committedRecord()
        let dump = try engine.writer.perform { context throws(StoreError) in
            try opening.open(.found, context)
            defer { context.close(preservingFiles: true) }
            return try DatabaseDump(context.openConnection())
        }
        return (dump, recordsOfOriginal - before)
    }

    /// Returns the findings of the integrity check.
    func check() throws -> [String] {
        try store.reopen()
        #expect(store.engine.state == .open)
        return try expectClean(store.engine)
    }
}

extension StoreEngine {
    /// Returns the number of the last record in the database file and the WAL, before any replay.
    func committedRecord() throws -> UInt64 {
        try keys.withDatabaseKey { key throws(StoreError) in
            guard let key else { throw StoreState.locked.notOpenError }
            let connection = try mapped(
                Connection(
                    path: directory.database, key: key, mode: .readOnly, profile: .ghoststore, versions: libraries))
            defer { connection.close() }
            return try JournalRow.read(connection).record
        }
    }
}
