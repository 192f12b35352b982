import Glibc
import StoreBasics

/// The folder `backups` in the state directory.
struct BackupFolder {
    static let name = "backups"
    /// The file name of an unfinished copy. The names of SQLite's files for the copy begin with the same text.
    private static let unfinishedPrefix = "unfinished-copy"

    /// A backup or an upload in the folder.
    struct Entry {
        let name: BackupName
        let path: String
        let bytes: UInt64
        let modifiedAt: Timestamp

        var isComplete: Bool {
            name.announcedBytes == nil || name.announcedBytes == bytes
        }

        /// The bytes that an upload still lacks; 0 for a backup that the daemon made.
        var missingBytes: UInt64 {
            guard let announced = name.announcedBytes, announced > bytes else { return 0 }
            return announced - bytes
        }
    }

    private let folder: StateDirectory

    /// Opens the folder, and creates it if necessary.
    ///
    /// - Throws: `.storageFailed`.
    init(_ directory: StateDirectory) throws(StoreError) {
        folder = try directory.folder(Self.name)
    }

    /// Opens the folder; returns `nil` if it does not exist or cannot be opened.
    init?(existingIn directory: StateDirectory) {
        guard directory.exists(directory.path + "/" + Self.name), let folder = try? BackupFolder(directory) else {
            return nil
        }
        self = folder
    }

    var unfinishedCopy: String { folder.path + "/" + Self.unfinishedPrefix }

    func path(of name: BackupName) -> String {
        folder.path + "/" + name.text
    }

    /// Returns all backups, the oldest name first.
    func entries() throws(StoreError) -> [Entry] {
        try fileNames().compactMap { text in
            guard let name = BackupName(listed: text) else { return nil }
            var status = stat()
            guard lstat(path(of: name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return Entry(
                name: name, path: path(of: name), bytes: UInt64(max(0, status.st_size)),
                modifiedAt: Timestamp(status.st_mtim))
        }
    }

    /// Returns the backup with a name.
    ///
    /// - Parameter text: A text from a client, so it must never become a part of a path.
    /// - Throws: `.backupNotFound`.
    func entry(named text: String) throws(StoreError) -> Entry {
        guard let entry = try entries().first(where: { $0.name.text == text }) else {
            throw StoreError(.backupNotFound, "there is no such backup; list the backups to see their names")
        }
        return entry
    }

    /// Returns the backup with a name, which must be complete.
    ///
    /// - Throws: `.backupNotFound`, `.backupIncomplete`.
    func completeEntry(named text: String) throws(StoreError) -> Entry {
        let entry = try entry(named: text)
        guard entry.isComplete else {
            throw StoreError(
                .backupIncomplete,
                "the upload has \(entry.bytes) of the announced \(entry.name.announcedBytes ?? 0) bytes; "
                    + "send the rest first")
        }
        return entry
    }

    /// Checks that another backup may be added.
    ///
    /// - Throws: `.tooManyBackups`; `.diskFull` if the disk has no space for `bytes` more, besides the bytes that
    ///   unfinished uploads lack.
    func checkRoom(forBytes bytes: UInt64) throws(StoreError) {
        let entries = try entries()
        guard entries.count < BackupLimits.backupsMax else {
            throw StoreError(
                .tooManyBackups, "there are \(BackupLimits.backupsMax) backups already; delete one first")
        }
        let announced = entries.reduce(UInt64(0)) { sum, entry in
            let (added, overflow) = sum.addingReportingOverflow(entry.missingBytes)
            return overflow ? .max : added
        }
        try checkDisk(forBytes: bytes, besideBytes: announced)
    }

    /// Checks the free space of the disk.
    ///
    /// - Throws: `.diskFull` if the bytes and the reserve of backups do not fit.
    func checkDisk(forBytes bytes: UInt64, besideBytes others: UInt64 = 0) throws(StoreError) {
        let (own, ownOverflow) = bytes.addingReportingOverflow(BackupLimits.reserveBytes)
        let (needed, overflow) = own.addingReportingOverflow(others)
        guard !ownOverflow, !overflow, needed <= folder.freeBytes else {
            throw StoreError(
                .diskFull,
                "the disk has no space for a backup of \(bytes) bytes; delete another backup or free some space")
        }
    }

    /// Removes the rest of an interrupted copy.
    func removeUnfinished() throws(StoreError) {
        for name in try fileNames() where name.hasPrefix(Self.unfinishedPrefix) {
            try folder.remove(folder.path + "/" + name)
        }
    }

    func remove(_ entry: Entry) throws(StoreError) {
        try folder.remove(entry.path)
        try folder.sync()
    }

    /// Gives the unfinished copy its name, durably.
    func finishCopy(as name: BackupName) throws(StoreError) {
        try folder.rename(unfinishedCopy, to: path(of: name))
    }

    func sync() throws(StoreError) {
        try folder.sync()
    }

    private func fileNames() throws(StoreError) -> [String] {
        try folder.fileNames()
    }
}

extension StateDirectory {
    /// Returns the sorted names of the folder's entries. Names that are not UTF-8 are left out.
    func fileNames() throws(StoreError) -> [String] {
        try Self.fileNames(of: path)
    }

    static func fileNames(of path: String) throws(StoreError) -> [String] {
        guard let stream = opendir(path) else {
            throw SystemFailure.error("a folder of the store cannot be listed", errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." {
                names.append(name)
            }
        }
        return names.sorted()
    }

    /// The bytes that an unprivileged user may still write on the folder's disk.
    var freeBytes: UInt64 {
        var status = statvfs()
        // If the file system does not report the number, the write itself fails when the disk is full.
        guard statvfs(path, &status) == 0 else { return .max }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }
}

extension Timestamp {
    /// Converts a time of a file, rounded down to microseconds.
    init(_ time: timespec) {
        self.init(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
