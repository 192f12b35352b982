import Glibc
import SQLCipher
import StoreBasics
import StoreCrypto
import Synchronization

@testable import StoreEngine

/// The files of a store at one moment, and the content that must be readable from them.
struct StoreSpecimen {
    /// The files by their names below the state directory.
    var files: [String: [UInt8]]
    let contents: StoreContents

    static let pageBytes = CipherProfile.ghoststore.pageBytes

    // Each specimen is created once per process.
    private static let stoppedOnce = Result { try makeStopped() }
    private static let killedOnce = Result { try makeKilled() }
    private static let rotatingOnce = Result { try makeRotating() }
    private static let rotatedOnce = Result { try makeRotated() }

    /// Returns a store that was stopped, so that it has no WAL.
    static func stopped() throws -> StoreSpecimen { try stoppedOnce.get() }

    /// Returns a store that was killed: most pages are in the database file, and some only in the WAL.
    static func killed() throws -> StoreSpecimen { try killedOnce.get() }

    /// Returns a store that was killed during a rotation of the master key, before the switch: the keyring has two
    /// keys, and `store.db.next` has half of the database under the new key.
    static func rotating() throws -> StoreSpecimen { try rotatingOnce.get() }

    /// Returns a store that was killed during a rotation, after the switch: the keyring has two keys, and the database
    /// is under the new one.
    static func rotated() throws -> StoreSpecimen { try rotatedOnce.get() }

    private static func makeStopped() throws -> StoreSpecimen {
        let store = try filledStore()
        let contents = try StoreContents(store.engine.makeReader())
        store.engine.shutDown()
        return StoreSpecimen(files: try files(of: store), contents: contents)
    }

    private static func makeKilled() throws -> StoreSpecimen {
        let store = try filledStore()
        try store.reopen()
        try fill(store.engine, round: 2)
        return StoreSpecimen(
            files: try files(of: store), contents: try StoreContents(store.engine.makeReader()))
    }

    private static func makeRotating() throws -> StoreSpecimen {
        var specimen = try killed()
        let copy = try specimen.copyUnderNextKey()
        specimen.files["keyring"] = copy.keyring
        specimen.files["store.db.next"] = Array(copy.database.prefix(copy.database.count / 4_096 * 2_048))
        return specimen
    }

    private static func makeRotated() throws -> StoreSpecimen {
        var specimen = try stopped()
        let copy = try specimen.copyUnderNextKey()
        specimen.files["keyring"] = copy.keyring
        specimen.files["store.db"] = copy.database
        specimen.files.merge(copy.journal) { $1 }
        return specimen
    }

    /// Writes the files into the state directory of a closed store.
    func place(in store: TemporaryStore) throws {
        try Self.place(files, in: store)
    }

    static func place(_ files: [String: [UInt8]], in store: TemporaryStore) throws {
        for name in try fileNames(in: store.statePath) {
            unlink(store.statePath + "/" + name)
        }
        try place(files, at: store.statePath)
    }

    /// Writes the files below a folder and creates missing folders.
    static func place(_ files: [String: [UInt8]], at path: String) throws {
        mkdir(path, 0o700)
        mkdir(path + "/journal", 0o700)
        for (name, bytes) in files {
            for (index, character) in name.enumerated() where character == "/" {
                mkdir(path + "/" + name.prefix(index), 0o700)
            }
            try TestFile.write(bytes, to: path + "/" + name)
        }
    }

    /// Returns the files in a state directory, except the files that every opening creates.
    static func files(of store: TemporaryStore) throws -> [String: [UInt8]] {
        let made: Set = ["lock", "store.db-shm", "reserve"]
        return try atOneMoment(store) { folder in
            try fileNames(in: folder).filter { !made.contains($0) }
        }
    }

    /// Returns the paths of all files, relative to the folder.
    private static func fileNames(in folder: String) throws -> [String] {
        try TestFile.all(below: folder).map { String($0.dropFirst(folder.count + 1)) }
    }

    /// Returns the files of a store without its backups. The store may be open.
    static func image(of store: TemporaryStore) throws -> [String: [UInt8]] {
        try atOneMoment(store) { folder in
            try imageNames(folder)
        }
    }

    private static func imageNames(_ folder: String) throws -> [String] {
        let names: Set = ["keyring", "keyring.previous", "mark", "store.db", "store.db-wal"]
        return try fileNames(in: folder).filter { names.contains($0) || $0.hasPrefix("journal/") }
    }

    /// Returns the files as a kill leaves them after the last write of `body` was synced to the journal, and before it
    /// is acknowledged. Pages of acknowledged writes are then only in the open transaction.
    static func image(of store: TemporaryStore, during body: () throws -> Void) throws -> [String: [UInt8]] {
        let taken = Mutex<[String: [UInt8]]>([:])
        let folder = store.statePath
        let observation = store.engine.observeCommits { _ in
            let image = try? imageNames(folder).reduce(into: [:]) { $0[$1] = try TestFile.read(folder + "/" + $1) }
            taken.withLock { $0 = image ?? [:] }
        }
        defer { observation.cancel() }
        try body()
        return taken.withLock { $0 }
    }

    /// Reads files while the writer waits. The writer of an idle store runs a checkpoint after a while, so files read
    /// at the same time would belong to different moments.
    private static func atOneMoment(
        _ store: TemporaryStore, _ names: @escaping @Sendable (_ folder: String) throws -> [String]
    ) throws -> [String: [UInt8]] {
        let folder = store.statePath
        let read: @Sendable () -> Result<[String: [UInt8]], any Error> = {
            Result {
                try names(folder).reduce(into: [:]) { $0[$1] = try TestFile.read(folder + "/" + $1) }
            }
        }
        let held = try? store.engine.writer.perform { _ in read() }
        return try (held ?? read()).get()
    }

    // MARK: Creation

    private static func filledStore() throws -> TemporaryStore {
        let store = try TemporaryStore()
        try fill(store.engine, round: 1)
        return store
    }

    /// Saves content in every table, with texts that span several pages and rows that share a page.
    private static func fill(_ engine: StoreEngine, round: Int) throws {
        for number in 0..<3 {
            let session = try SessionID("05session-\(round)-\(number)")
            for message in 0..<8 {
                try engine.write(
                    .saveMessage(
                        NewMessage(
                            id: try EntityID("message-\(round)-\(number)-\(message)"), conversation: .session(session),
                            text: String(repeating: "text \(message) ", count: message == 3 ? 900 : 5),
                            timestamp: Timestamp(microseconds: Int64(message * 1_000)))))
            }
            try engine.write(
                .updateConversation(
                    .session(session),
                    ConversationUpdate(displayName: "name \(number)", avatar: [UInt8](repeating: 7, count: 3_000))))
            try engine.write(
                .saveContact(ContactUpdate(sessionID: session, displayName: "contact \(number)", notes: "noted")))
        }
        let scene = SceneTiers.sceneAndGlobal(try SceneName("scene-\(round)"))
        let changes = try (0..<12).map { number in
            SceneChange(key: try SceneKey("key-\(number)"), value: [UInt8](repeating: UInt8(number), count: 300))
        }
        try engine.write(.setSceneValues(scene, changes, conditions: []))
        // These names are so long that rows and index entries continue in overflow pages.
        let long = SceneTiers.sceneOnly(try SceneName(String(repeating: "s", count: 255) + "\(round)"))
        try engine.write(
            .setSceneValues(
                long,
                try (0..<6).map {
                    SceneChange(key: try SceneKey(String(repeating: "k", count: 254) + "\($0)"), value: [1])
                },
                conditions: []))
        try engine.write(
            .saveContact(
                ContactUpdate(
                    sessionID: try SessionID("05long-\(round)"), displayName: String(repeating: "é", count: 200))))
        let log = try LogName("log-\(round)")
        try engine.write(.openLog(log, LogConfiguration(maximumBytes: 100_000, overwritesOldest: true)))
        try engine.write(
            .appendLog(
                LogAppend(
                    log: log, expected: nil,
                    messages: (0..<20).map { [UInt8](repeating: UInt8($0), count: 400) })))
    }

    private func copyUnderNextKey() throws -> (keyring: [UInt8], database: [UInt8], journal: [String: [UInt8]]) {
        let store = try TemporaryStore()
        store.engine.shutDown()
        try place(in: store)
        try store.reopen()
        let engine = store.engine
        let (keyring, key, journalKey) = try engine.keys.withKeyring { keyring throws(StoreError) in
            try mappedKeys(keyring.beginRotation())
            return (
                keyring.keyring.serialized(), SecretBox(try mappedKeys(keyring.databaseKey(.next))),
                TakeOnce(try mappedKeys(keyring.journalKey(.next)))
            )
        }
        let copy = DatabaseCopy(path: store.statePath + "/copy", key: key, libraries: engine.libraries)
        try engine.writer.perform { context throws(StoreError) in
            try copy.start(context)
            try copy.finish()
            if let journalKey = journalKey.take() {
                try context.journal?.prepare(under: journalKey)
            }
        }
        let journal = try Self.image(of: store).filter { $0.key.hasPrefix("journal/") }
        return (keyring, try TestFile.read(store.statePath + "/copy"), journal)
    }
}
