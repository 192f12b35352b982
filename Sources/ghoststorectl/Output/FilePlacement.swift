import CLinuxShims
import Glibc
import StoreBasics

/// Gives complete files their final names.
enum FilePlacement {
    /// Renames a file to a name that does not exist yet. A symbolic link counts as existing. The rename is atomic if
    /// the file system supports that, so that a kill never leaves two names. Otherwise the file gets a second name and
    /// the first one is removed.
    ///
    /// - Parameter folder: The folder of both names; `nil` if they are paths.
    /// - Throws: `EEXIST` if the name exists; another error if the file system supports neither way.
    static func rename(_ temporaryName: String, toFree name: String, in folder: Int32? = nil) throws(SystemError) {
        let folder = folder ?? AT_FDCWD
        guard ghost_rename_to_free_name(folder, temporaryName, name) != 0 else { return }
        guard errno != EEXIST else { throw .last }
        guard linkat(folder, temporaryName, folder, name, 0) == 0 else { throw .last }
        unlinkat(folder, temporaryName, 0)
    }

    /// Returns whether an error of `rename` means that the file system supports neither way of renaming.
    static func isUnsupportedRename(_ error: SystemError) -> Bool {
        [EINVAL, EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.number)
    }

    /// Returns advice to append to a message if the file system supports neither way of renaming; otherwise an empty
    /// text.
    static func hint(_ error: SystemError) -> String {
        isUnsupportedRename(error)
            ? "; hint: perhaps the file system does not support this safe way to create files: use another file system"
            : ""
    }

    /// Returns a path in the same folder: the same name with a suffix.
    static func path(_ path: String, with suffix: String) -> String {
        // Compared by bytes: a slash followed by a combining mark is one character, but still a slash.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = path[(slash.map(path.utf8.index(after:)) ?? path.startIndex)...]
        let bytesMax = pathconf(folder(of: path), Int32(_PC_NAME_MAX))
        return path[..<name.startIndex]
            + Self.name(name, with: suffix, bytesMax: bytesMax > 0 ? bytesMax : nameBytesMax)
    }

    /// The largest size of a name, in bytes, that the vault and most file systems accept.
    static let nameBytesMax = 255

    /// Returns a name with a suffix. A name that leaves no room for the suffix is shortened and gets a hash of the
    /// whole name, so that names with the same beginning stay different.
    static func name(_ name: some StringProtocol, with suffix: String, bytesMax: Int) -> String {
        guard name.utf8.count + suffix.utf8.count > bytesMax else { return name + suffix }
        var hash = StableHash()
        hash.combine(name.utf8)
        let tail = "-" + String(hash.value, radix: 16) + suffix
        var (cut, byteCount) = ("", tail.utf8.count)
        for scalar in name.unicodeScalars {
            byteCount += UTF8.width(scalar)
            guard byteCount <= bytesMax else { break }
            cut.unicodeScalars.append(scalar)
        }
        return cut + tail
    }

    /// Makes the entries of a file's folder durable.
    static func syncFolder(of path: String) throws(CommandFailure) {
        let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw CommandFailure(.inputOutput, "cannot sync the directory of \(path): \(SystemError.last)")
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
