import Glibc
import StoreBasics
import StoreCrypto

/// Replaces the old store by a new one, so that a crash at any moment leaves one of the two complete.
///
///     restoring.partial/   a new store that is being written; removed at the next start
///     restoring/           a complete new store, which is installed at the next start at the latest
///     replacing/           receives the files of the old store
///     replaced/            the store as it was before the last restore, until it is deleted
///
/// Every step can be repeated, so an interrupted restore is completed by running all steps again. If a new file is
/// still in `restoring`, the old file of its name has not been replaced yet.
struct StoreRestore {
    enum Step: CaseIterable {
        /// One rename, which decides that the restore takes place.
        case commit
        case makeRoomForOldStore
        case setOldDatabaseAside
        case setOldLogAside
        case setOldLogIndexAside
        case setOldJournalAside
        case discardUnfinishedDatabase
        case installDatabase
        case setOldMarkAside
        case installMark
        case setOldVaultAside
        case installVault
        case setOldKeyringAside
        case setOlderKeyringAside
        case installKeyring
        case end
        case removeEarlierStore
        case keepOldStore
    }

    static let partialName = "restoring.partial"
    static let committedName = "restoring"
    static let replacingName = "replacing"
    static let replacedName = "replaced"

    private let directory: StateDirectory

    init(_ directory: StateDirectory) {
        self.directory = directory
    }

    /// Completes a restore that was interrupted after its commit, and discards a restore that was interrupted before
    /// its commit.
    func finishInterrupted() throws(StoreError) {
        try removeFolder(Self.partialName)
        if directory.exists(path(Self.committedName)) || directory.exists(path(Self.replacingName)) {
            try finish()
        }
    }

    /// Renames the folder of the new store, which decides that the restore takes place.
    ///
    /// - Throws: An error after which nothing has changed; or, if it is unknown whether the renaming is durable, an
    ///   error with `losesDurability`.
    func commit() throws(StoreError) {
        try perform(.commit)
    }

    /// Performs the steps after the commit. Every connection to the old database must be closed, and none may be opened
    /// until this returns.
    func finish() throws(StoreError) {
        for step in Step.allCases where step != .commit {
            try perform(step)
        }
    }

    /// Creates an empty folder for the new store.
    func makePartialFolder() throws(StoreError) -> StateDirectory {
        try removeFolder(Self.partialName)
        return try directory.folder(Self.partialName)
    }

    func removePartialFolder() throws(StoreError) {
        try removeFolder(Self.partialName)
    }

    /// The store that the last restore replaced.
    struct ReplacedStore {
        let bytes: Int
        let replacedAt: Timestamp
        /// The store's revision; 0 if it is not known.
        let revision: UInt64
    }

    /// - Returns: `nil` if no store was replaced.
    func replacedStore() throws(StoreError) -> ReplacedStore? {
        var status = stat()
        guard lstat(path(Self.replacedName), &status) == 0 else { return nil }
        let folder = try directory.folder(Self.replacedName)
        let bytes = try StateDirectory.bytesBelow(folder.path)
        // The time of the folder is the time at which the last file was moved into it.
        return ReplacedStore(
            bytes: bytes, replacedAt: Timestamp(status.st_mtim),
            revision: StoreMarkFile.readUnverified(folder.mark)?.revision ?? 0)
    }

    func removeReplacedStore() throws(StoreError) {
        try removeFolder(Self.replacedName)
    }

    func perform(_ step: Step) throws(StoreError) {
        switch step {
        case .commit: try directory.rename(path(Self.partialName), to: path(Self.committedName))
        case .makeRoomForOldStore: try makeRoomForOldStore()
        case .setOldDatabaseAside: try setAside(StateDirectory.databaseName, before: StateDirectory.databaseName)
        case .setOldLogAside: try setAside(StateDirectory.databaseName + "-wal", before: StateDirectory.databaseName)
        case .setOldLogIndexAside:
            try setAside(StateDirectory.databaseName + "-shm", before: StateDirectory.databaseName)
        case .setOldJournalAside: try setAside(JournalFolder.name, before: StateDirectory.databaseName)
        case .discardUnfinishedDatabase: try StoreReplacement(directory).discardNext()
        case .installDatabase: try install(StateDirectory.databaseName)
        case .setOldMarkAside: try setAside(StateDirectory.markName, before: StateDirectory.markName)
        case .installMark: try install(StateDirectory.markName)
        case .setOldVaultAside: try setAside(VaultFolder.name, before: VaultFolder.name)
        case .installVault: try install(VaultFolder.name)
        case .setOldKeyringAside: try setAside(KeyringFile.name, before: KeyringFile.name)
        case .setOlderKeyringAside: try setAside(KeyringFile.previousName, before: KeyringFile.name)
        case .installKeyring: try install(KeyringFile.name)
        case .end: try removeFolder(Self.committedName)
        case .removeEarlierStore: try removeEarlierStore()
        case .keepOldStore: try keepOldStore()
        }
    }

    private func makeRoomForOldStore() throws(StoreError) {
        guard directory.exists(path(Self.committedName)) else { return }
        _ = try directory.folder(Self.replacingName)
        try directory.sync()
    }

    /// Moves a file of the old store away. If the new `successor` is installed already, the file belongs to the new
    /// store and stays.
    private func setAside(_ name: String, before successor: String) throws(StoreError) {
        guard directory.exists(path(Self.committedName) + "/" + successor), directory.exists(path(name)) else { return }
        let replacing = try directory.folder(Self.replacingName)
        try directory.rename(path(name), to: replacing.path + "/" + name)
        try replacing.sync()
    }

    private func install(_ name: String) throws(StoreError) {
        let source = path(Self.committedName) + "/" + name
        guard directory.exists(source) else { return }
        try directory.rename(source, to: path(name))
    }

    private func removeEarlierStore() throws(StoreError) {
        guard try hasOldStore() else { return }
        try removeFolder(Self.replacedName)
    }

    private func keepOldStore() throws(StoreError) {
        guard try hasOldStore() else { return try removeFolder(Self.replacingName) }
        try directory.rename(path(Self.replacingName), to: path(Self.replacedName))
    }

    private func hasOldStore() throws(StoreError) -> Bool {
        guard directory.exists(path(Self.replacingName)) else { return false }
        return try !directory.folder(Self.replacingName).fileNames().isEmpty
    }

    /// Removes a folder with its files, if it exists.
    private func removeFolder(_ name: String) throws(StoreError) {
        guard directory.exists(path(name)) else { return }
        try directory.folder(name).removeAll()
        try directory.sync()
    }

    private func path(_ name: String) -> String {
        directory.path + "/" + name
    }
}

extension StateDirectory {
    /// Removes the folder with everything in it.
    fileprivate func removeAll() throws(StoreError) {
        for name in try fileNames() {
            let place = path + "/" + name
            if Self.isFolder(place) {
                try StateDirectory(path: place).removeAll()
            } else {
                try remove(place)
            }
        }
        guard rmdir(path) == 0 || errno == ENOENT else {
            throw SystemFailure.error("a folder of the store cannot be removed", errno)
        }
    }
}
