import CLinuxShims
import Glibc
import StoreBasics
import StoreClient

/// An open folder of this machine. All operations use names relative to it and follow no symbolic link, so that no
/// change to the folder by another program can make an operation leave the folder.
struct HostFolder: ~Copyable {
    enum Entry: ~Copyable {
        case folder(HostFolder)
        case file(InputFile)
        /// Anything else; the text says what it is.
        case other(String)
    }

    private let descriptor: Int32
    /// The path of the folder, for error messages. All operations use the descriptor.
    let path: String

    /// - Parameter path: The path of an existing folder. A symbolic link to a folder is followed, because a person gave
    ///   the path.
    init(_ path: String) throws(CommandFailure) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure(.noInput, "cannot open \(path): \(SystemError.last)") }
        self.init(descriptor: descriptor, path: path)
    }

    /// - Parameter path: The path of the folder. If it does not exist, it is created for its owner alone.
    init(making path: String) throws(CommandFailure) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandFailure(.cannotCreate, "cannot make \(path): \(SystemError.last)")
        }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure(.cannotCreate, "cannot open \(path): \(SystemError.last)") }
        self.init(descriptor: descriptor, path: path)
    }

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// Returns true if the path is a folder or a symbolic link to one.
    static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return path != "-" && stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the names in the order of their bytes; `nil` for a name that is not UTF-8.
    func names() throws(CommandFailure) -> [String?] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw cannotRead }
        guard let stream = fdopendir(copy) else {
            defer { close(copy) }
            throw cannotRead
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) {
                names.append(name)
            }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }.map { String(validating: $0, as: UTF8.self) }
    }

    func entry(_ name: String) throws(CommandFailure) -> Entry {
        var facts = stat()
        guard fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw CommandFailure(.noInput, "cannot examine \(path)/\(name): \(SystemError.last)")
        }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR:
            let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard inner >= 0 else { throw cannotOpen(name) }
            return .folder(HostFolder(descriptor: inner, path: "\(path)/\(name)"))
        case S_IFREG:
            // If another program has replaced the file by a pipe meanwhile, O_NONBLOCK keeps the call from waiting for
            // the other end of the pipe.
            let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            guard file >= 0 else { throw cannotOpen(name) }
            return .file(try InputFile(descriptor: file, "\(path)/\(name)"))
        case S_IFLNK: return .other("is a link")
        default: return .other("is neither a file nor a directory")
        }
    }

    /// Opens a folder in this one. If it does not exist, it is created for its owner alone.
    func makeFolder(_ name: String) throws(CommandFailure) -> HostFolder {
        try Self.check(name)
        guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else { throw cannotMake(name) }
        let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard inner >= 0 else { throw cannotMake(name) }
        return HostFolder(descriptor: inner, path: "\(path)/\(name)")
    }

    /// Creates a file for its owner alone. It gets its name when `NewFile.place` is called.
    ///
    /// - Parameter source: The file in the vault, for reports of failures.
    func makeFile(
        _ name: String, replacesExisting: Bool, of source: VaultPath? = nil
    ) throws(CommandFailure) -> NewFile {
        try Self.check(name)
        let temporaryName = ".ghoststore-\(UInt64.random(in: 0...UInt64.max))"
        guard let folder = OwnedDescriptor(opening: ".", in: descriptor, O_RDONLY | O_DIRECTORY),
            let file = OwnedDescriptor(
                opening: temporaryName, in: descriptor, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        else { throw cannotMake(name) }
        return NewFile(
            file: file, folder: folder, temporaryName: temporaryName, name: name, path: "\(path)/\(name)",
            source: source, replacesExisting: replacesExisting)
    }

    /// Creates a new file in the folder, for its owner alone.
    func makeEmptyFile(_ name: String) throws(CommandFailure) -> OwnedDescriptor {
        try Self.check(name)
        guard let file = OwnedDescriptor(opening: name, in: descriptor, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600) else {
            throw cannotMake(name)
        }
        return file
    }

    /// Removes the files in the folder as far as possible; folders in it stay.
    func removeFiles() {
        for case let name? in (try? names()) ?? [] {
            unlinkat(descriptor, name, 0)
        }
    }

    /// Removes an empty folder in this one.
    func removeFolder(_ name: String) {
        unlinkat(descriptor, name, AT_REMOVEDIR)
    }

    /// Makes everything durable that was written on the folder's file system.
    func syncFileSystem() throws(CommandFailure) {
        guard ghost_sync_file_system(descriptor) == 0 else {
            throw CommandFailure(.inputOutput, "cannot sync \(path): \(SystemError.last)")
        }
    }

    private var cannotRead: CommandFailure {
        CommandFailure(.noInput, "cannot read \(path): \(SystemError.last)")
    }

    private func cannotOpen(_ name: String) -> CommandFailure {
        CommandFailure(.noInput, "cannot open \(path)/\(name): \(SystemError.last)")
    }

    /// Returns the failure to create a file or folder. If the error would affect all other files too, such as a full
    /// disk, the failure has the status `.inputOutput`, which ends the whole transfer.
    private func cannotMake(_ name: String) -> CommandFailure {
        let error = SystemError.last
        let isAboutAll = [ENOSPC, EDQUOT, EIO, EROFS, EMFILE, ENFILE, ENOMEM].contains(error.number)
        return CommandFailure(isAboutAll ? .inputOutput : .cannotCreate, "cannot make \(path)/\(name): \(error)")
    }

    /// Rejects names that are not plain file names. The names come from the store, and an impostor of the daemon could
    /// send any.
    private static func check(_ name: String) throws(CommandFailure) {
        let bytes = name.utf8
        guard !name.isEmpty, name != ".", name != "..", !bytes.contains(UInt8(ascii: "/")), !bytes.contains(0) else {
            throw CommandFailure(.badData, "the vault has a name that cannot be the name of a file on this machine")
        }
    }
}
