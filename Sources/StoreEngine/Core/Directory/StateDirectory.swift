import Glibc
import StoreBasics

/// The folder of one store: the names of its files and the operations on them.
struct StateDirectory: Sendable {
    static let lockName = "lock"
    static let databaseName = StoreFile.database
    static let markName = "mark"

    let path: String

    var database: String { path + "/" + Self.databaseName }
    var wal: String { database + "-wal" }
    var sharedMemory: String { database + "-shm" }
    /// The file that records the highest revision which the database file is known to contain.
    var mark: String { path + "/" + Self.markName }
    /// The file that reserves space for deletes on a full disk.
    var reserve: String { path + "/reserve" }
    /// A database that replaces `database` once it is complete.
    var nextDatabase: String { database + ".next" }

    /// Opens the directory that the operator has chosen. Links of root and of the daemon's user are resolved once, now.
    ///
    /// - Throws: `.storageFailed`; `.invalidArgument` for a path that does not begin with `/`. The message contains the
    ///   path, because only the operator who starts the daemon sees it.
    init(following path: String) throws(StoreError) {
        do throws(StoreError) {
            try self.init(path: FollowedPath.resolve(path))
            // Sync the parent folder, because the process that created the directory may have been killed before its
            // name was durable.
            try Self.syncParent(of: self.path)
        } catch {
            throw StoreError(error.reason, "\(path): \(error.message)")
        }
    }

    /// Opens a folder, creating it if it is missing, and makes sure that other users cannot read it. It must not be a
    /// link.
    ///
    /// - Parameter name: the name of the folder in messages.
    /// - Throws: `.storageFailed`.
    init(path: String, called name: String = "the state directory") throws(StoreError) {
        self.path = path
        if mkdir(path, 0o700) == 0 {
            try Self.syncParent(of: path)
        } else if errno != EEXIST {
            throw SystemFailure.error("\(name) cannot be created", errno, "create it for the daemon's user")
        }
        var status = stat()
        guard lstat(path, &status) == 0 else { throw SystemFailure.error("\(name) cannot be examined", errno) }
        guard status.st_mode & S_IFMT != S_IFLNK else {
            throw StoreError(.storageFailed, "a folder of the store is a link; replace the link with the folder")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError(.storageFailed, "\(name) is not a folder; move it away")
        }
        guard status.st_uid == geteuid() else {
            throw StoreError(
                .storageFailed,
                "\(name) belongs to user \(status.st_uid), but the daemon runs as user \(geteuid()); "
                    + "give it to the daemon's user (chown)")
        }
        if status.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 {
            throw SystemFailure.error(
                "other users can open \(name), and its mode cannot be changed", errno, "run chmod 0700 on it")
        }
    }

    /// Opens a folder in this folder, creating it if it is missing.
    ///
    /// - Throws: `.storageFailed`.
    func folder(_ name: String) throws(StoreError) -> StateDirectory {
        try StateDirectory(path: path + "/" + name, called: name)
    }

    func exists(_ file: String) -> Bool {
        var status = stat()
        return lstat(file, &status) == 0
    }

    func bytes(of file: String) -> Int { Self.bytes(of: file) }

    private static func bytes(of file: String) -> Int {
        var status = stat()
        return lstat(file, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Returns true if the path is a folder, and not a link to one.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the total size of all files in a folder and its subfolders.
    static func bytesBelow(_ path: String) throws(StoreError) -> Int {
        var sum = 0
        for name in try fileNames(of: path) {
            let place = path + "/" + name
            sum += isFolder(place) ? try bytesBelow(place) : bytes(of: place)
        }
        return sum
    }

    /// Returns true if a folder or one of its subfolders contains a file. A folder that cannot be read, such as the
    /// `lost+found` of a file system, is counted as empty.
    static func holdsFile(_ path: String) -> Bool {
        guard isFolder(path), let names = try? fileNames(of: path) else { return false }
        return names.contains { name in
            let place = path + "/" + name
            return !isFolder(place) || holdsFile(place)
        }
    }

    /// Removes a database that no process has open, with the files that SQLite keeps beside it.
    func remove(database: String) throws(StoreError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try remove(database + suffix)
        }
    }

    /// Removes a file if it exists.
    func remove(_ file: String) throws(StoreError) {
        if unlink(file) != 0, errno != ENOENT {
            throw SystemFailure.error("a file of the store cannot be removed", errno)
        }
    }

    /// Renames `source` to `target`, replacing an existing file, and makes the change durable.
    func rename(_ source: String, to target: String) throws(StoreError) {
        guard Glibc.rename(source, target) == 0 else {
            throw SystemFailure.error("a file of the store cannot be renamed", errno)
        }
        try sync()
    }

    /// Makes all renames and removals in the folder durable.
    ///
    /// - Throws: an error with `losesDurability`, because it is unknown if the changes survive a power failure.
    func sync() throws(StoreError) {
        do throws(StoreError) {
            try Self.sync(path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        } catch {
            throw .durabilityLost(error.message)
        }
    }

    /// Makes the content of a file durable before the file is used.
    func sync(file: String) throws(StoreError) {
        try Self.sync(file, flags: O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    }

    /// Makes the name of a new folder durable. Otherwise a power failure could remove the folder with its durable
    /// files. A parent that cannot be read cannot be synced.
    private static func syncParent(of path: String) throws(StoreError) {
        guard access(path + "/..", R_OK) == 0 else { return }
        try sync(path + "/..", flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    private static func sync(_ path: String, flags: Int32) throws(StoreError) {
        let descriptor = open(path, flags)
        guard descriptor >= 0 else { throw SystemFailure.error("a file of the store cannot be opened", errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw SystemFailure.error("a file of the store cannot be made durable", errno)
        }
    }
}

/// Error messages for failed system calls.
enum SystemFailure {
    /// - Parameter hint: advice for failures other than a full disk.
    static func error(_ cause: String, _ number: Int32, _ hint: String? = nil) -> StoreError {
        if number == ENOSPC || number == EDQUOT {
            return StoreError(.diskFull, "\(cause): the disk is full; free some space and try again")
        }
        return StoreError(.storageFailed, "\(cause): \(SystemError(number))" + (hint.map { "; \($0)" } ?? ""))
    }
}

/// The lock on a state directory, held while the daemon runs. The kernel releases it when the process ends for any
/// reason, so an existing lock file does not mean that the directory is locked.
final class StateDirectoryLock: Sendable {
    private let descriptor: Int32
    /// The directory itself, which stays locked if the lock file is deleted while the daemon runs.
    private let folderDescriptor: Int32

    /// - Throws: `.storeBusy` if another process holds the lock.
    init(_ directory: StateDirectory) throws(StoreError) {
        let path = directory.path + "/" + StateDirectory.lockName
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw SystemFailure.error("the lock of the state directory cannot be opened", errno)
        }
        folderDescriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        // If this throws, `deinit` closes the descriptors.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Self.refusal(errno, directory) }
        // Some network file systems cannot lock directories. There the lock on the file must suffice.
        if flock(folderDescriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw Self.refusal(EWOULDBLOCK, directory)
        }
    }

    private static func refusal(_ number: Int32, _ directory: StateDirectory) -> StoreError {
        guard number == EWOULDBLOCK else { return SystemFailure.error("the state directory cannot be locked", number) }
        return StoreError(
            .storeBusy,
            """
            \(directory.path): another ghoststored serves this state directory; stop that daemon, or choose \
            another directory
            """)
    }

    /// Releases the lock for another daemon. May be called more than once.
    func release() {
        flock(descriptor, LOCK_UN)
        flock(folderDescriptor, LOCK_UN)
    }

    deinit {
        close(descriptor)
        close(folderDescriptor)
    }
}
