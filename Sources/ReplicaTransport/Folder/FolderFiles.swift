import Glibc
import StoreBasics

/// The calls of the operating system for the files of a group's folder. Programs of other people may change these files
/// at any time.
enum FolderFiles {
    private static let partialEnding = ".partial"

    /// The names in a folder, in any order.
    struct Names {
        var files: [String] = []
        var folders: [String] = []
    }

    /// Lists a folder. The result is empty if there is no folder of this name, or only a link to one.
    static func names(in path: String) throws(TransportError) -> Names {
        var names = Names()
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw .folder("a folder cannot be read", path, .last) }
            return names
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return names }
        guard let folder = opendir(path) else {
            guard errno == ENOENT || errno == ENOTDIR else { throw .folder("a folder cannot be read", path, .last) }
            return names
        }
        defer { closedir(folder) }
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            // Some file systems do not report the types of entries.
            let type = Int(entry.pointee.d_type)
            let isFolder = type == DT_DIR || type == DT_UNKNOWN && isFolder("\(path)/\(name)", followsLinks: false)
            if isFolder { names.folders.append(name) } else { names.files.append(name) }
        }
        guard errno == 0 else { throw .folder("a folder cannot be read", path, .last) }
        return names
    }

    /// Reads a regular file; returns `nil` if there is no regular file at the path, or if the file is larger than
    /// `bytesMax`.
    ///
    /// - Throws: `.refused` if only this file cannot be read.
    static func read(_ path: String, bytesMax: Int) throws(TransportError) -> [UInt8]? {
        guard let file = try open(path) else { return nil }
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= bytesMax else {
            return nil
        }
        return try read(file, Int(status.st_size), at: 0, path)
    }

    /// Returns the last bytes of a regular file; `nil` if there is no such file.
    static func end(of path: String, _ byteCount: Int) throws(TransportError) -> [UInt8]? {
        guard let file = try open(path) else { return nil }
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let count = min(byteCount, Int(status.st_size))
        return try read(file, count, at: Int(status.st_size) - count, path)
    }

    private static func open(_ path: String) throws(TransportError) -> OwnedDescriptor? {
        // Without O_NONBLOCK, opening a pipe of this name would wait for its writer.
        if let file = OwnedDescriptor(opening: path, in: AT_FDCWD, O_RDONLY | O_NONBLOCK) { return file }
        let error = SystemError.last
        switch error.number {
        case ENOENT, ENOTDIR, ELOOP, ENXIO: return nil
        case EMFILE, ENFILE, ENOMEM: throw .folder("a file cannot be read", path, error)
        default: throw TransportError(.refused, "a file cannot be read: \(path): \(error)")
        }
    }

    private static func read(
        _ file: borrowing OwnedDescriptor, _ count: Int, at offset: Int, _ path: String
    ) throws(TransportError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        do throws(SystemError) {
            let descriptor = file.number
            let filled = try bytes.withUnsafeMutableBufferPointer { memory throws(SystemError) in
                try FileDescriptorCalls.read(descriptor, into: UnsafeMutableRawBufferPointer(memory), at: offset)
            }
            bytes.removeLast(count - filled)
        } catch {
            throw TransportError(.refused, "a file cannot be read: \(path): \(error)")
        }
        return bytes
    }

    /// Writes a file durably. Writes the file under a temporary name first, and then renames it.
    static func write(_ bytes: [UInt8], _ name: String, in folder: String) throws(TransportError) {
        // Several processes may write the same file at the same time, so the temporary name contains the process id.
        let partial = "\(folder)/.\(name).\(getpid())\(partialEnding)"
        do throws(SystemError) {
            unlink(partial)
            let mode = try mode(of: folder) & 0o666
            guard
                let file = OwnedDescriptor(
                    opening: partial, in: AT_FDCWD, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            else { throw .last }
            // Some file systems, such as FUSE, have no permissions, so an error of fchmod is ignored there.
            guard fchmod(file.number, mode) == 0 || [EPERM, ENOSYS, ENOTSUP].contains(errno) else { throw .last }
            try FileDescriptorCalls.write(file.number, bytes)
            try withoutInterruption { fsync(file.number) }
            try withoutInterruption { rename(partial, "\(folder)/\(name)") }
            try sync(folder)
        } catch {
            unlink(partial)
            throw .folder("a file cannot be written", "\(folder)/\(name)", error)
        }
    }

    /// Removes the partial files of processes that were killed while they wrote.
    static func removePartial(in folder: String, olderThan limit: time_t) throws(TransportError) {
        for name in try names(in: folder).files where name.hasPrefix(".") && name.hasSuffix(partialEnding) {
            if let changedAt = changedAt("\(folder)/\(name)"), changedAt < limit { unlink("\(folder)/\(name)") }
        }
    }

    /// Creates a folder with the permissions of its parent, unless it exists. The process must have no umask, because a
    /// later chmod cannot correct the permissions: RestrictSUIDSGID= of systemd.exec(5) forbids a chmod with the
    /// set-group-ID bit, by which files inherit the folder's group.
    static func makeFolder(_ name: String, in parent: String) throws(TransportError) {
        let path = "\(parent)/\(name)"
        do throws(SystemError) {
            let mode = try mode(of: parent) & 0o777
            guard mkdir(path, mode) == 0 else {
                guard errno == EEXIST, isFolder(path, followsLinks: false) else { throw .last }
                return
            }
            try sync(parent)
        } catch {
            throw .folder("a folder cannot be created", path, error)
        }
    }

    static func isFolder(_ path: String, followsLinks: Bool) -> Bool {
        var status = stat()
        let isThere = followsLinks ? stat(path, &status) == 0 : lstat(path, &status) == 0
        return isThere && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The time of the last change of a file or folder; `nil` if it does not exist.
    static func changedAt(_ path: String) -> time_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mtim.tv_sec : nil
    }

    private static func mode(of folder: String) throws(SystemError) -> mode_t {
        var status = stat()
        try withoutInterruption { stat(folder, &status) }
        return status.st_mode & 0o7777
    }

    private static func sync(_ folder: String) throws(SystemError) {
        guard let opened = OwnedDescriptor(opening: folder, in: AT_FDCWD, O_RDONLY | O_DIRECTORY) else { throw .last }
        // Some file systems, such as FUSE, cannot sync a folder. Then the file is as durable as the carrier makes it.
        guard fsync(opened.number) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP else { throw .last }
    }
}

extension TransportError {
    /// Returns the error for a failed system call on a file of the folder.
    static func folder(_ what: String, _ path: String, _ error: SystemError) -> TransportError {
        let (code, hint): (Code, String) =
            switch error.number {
            case ENOSPC, EDQUOT: (.streamFull, "; hint: make room in the folder")
            case EACCES, EPERM, EROFS: (.refused, "; hint: let this user read and write the folder")
            default: (.unexpected, "")
            }
        return TransportError(code, "\(what): \(path): \(error)\(hint)")
    }
}
