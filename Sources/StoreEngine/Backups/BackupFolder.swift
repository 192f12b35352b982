import Glibc
import StoreBasics

/// The folder `backups` below the state directory.
struct BackupFolder {
    static let name = "backups"
    /// A copy that is being made; with the suffixes SQLite may add.
    private static let unfinishedPrefix = "unfinished-copy"

    /// One backup in it.
    struct Entry {
        let name: BackupName
        let path: String
        let bytes: UInt64
        let modifiedAt: Timestamp

        var isComplete: Bool {
            name.announcedBytes == nil || name.announcedBytes == bytes
        }

        /// What an upload still waits for; 0 for a backup that the daemon made.
        var missingBytes: UInt64 {
            guard let announced = name.announcedBytes, announced > bytes else { return 0 }
            return announced - bytes
        }
    }

    private let folder: StateDirectory

    /// Makes the folder if need be.
    ///
    /// - Throws: `.storageFailed`.
    init(_ directory: StateDirectory) throws(StoreError) {
        folder = try directory.folder(Self.name)
    }

    /// Where there is one.
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

    /// Oldest name first.
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

    /// - Parameter text: from a client, so it never becomes part of a path.
    /// - Throws: `.backupNotFound`.
    func entry(named text: String) throws(StoreError) -> Entry {
        guard let entry = try entries().first(where: { $0.name.text == text }) else {
            throw StoreError(.backupNotFound, "there is no such backup; list the backups to see their names")
        }
        return entry
    }

    /// The same, for a use that needs the whole backup.
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

    /// - Throws: `.tooManyBackups`; `.diskFull` unless `bytes` more fit on the disk beside what the uploads that have
    ///   begun still miss.
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

    /// - Throws: `.diskFull` unless so much fits on the disk, and what backups leave free.
    func checkDisk(forBytes bytes: UInt64, besideBytes others: UInt64 = 0) throws(StoreError) {
        let (own, ownOverflow) = bytes.addingReportingOverflow(BackupLimits.reserveBytes)
        let (needed, overflow) = own.addingReportingOverflow(others)
        guard !ownOverflow, !overflow, needed <= folder.freeBytes else {
            throw StoreError(
                .diskFull,
                "the disk has no space for a backup of \(bytes) bytes; delete another backup or free some space")
        }
    }

    /// Removes what a copy left that was cut off.
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
    /// Names of what is in the folder, sorted; those that are not UTF-8 are left out.
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

    /// Bytes that an ordinary user may still write on its disk.
    var freeBytes: UInt64 {
        var status = statvfs()
        // A file system that does not tell refuses the write itself.
        guard statvfs(path, &status) == 0 else { return .max }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }
}

extension Timestamp {
    /// A time of a file, without what is below a microsecond.
    init(_ time: timespec) {
        self.init(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
