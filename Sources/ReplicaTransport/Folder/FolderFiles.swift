import Glibc
import StoreBasics

/// The calls of the operating system for the files of a group's folder, which programs of other people may change at
/// any time.
enum FolderFiles {
    /// Returns the names in a folder, in any order; none if the folder does not exist.
    static func names(in path: String) throws(TransportError) -> [String] {
        guard let folder = opendir(path) else {
            guard errno == ENOENT else { throw .folder("a folder cannot be read", path, .last) }
            return []
        }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .folder("a folder cannot be read", path, .last) }
        return names
    }

    /// Reads a regular file; returns `nil` if there is none, or a larger one.
    ///
    /// - Throws: `.refused` if this user may not read the file.
    static func read(_ path: String, bytesMax: Int) throws(TransportError) -> [UInt8]? {
        // Without O_NONBLOCK, opening a pipe of this name would wait for its writer.
        guard let file = OwnedDescriptor(opening: path, in: AT_FDCWD, O_RDONLY | O_NONBLOCK) else {
            guard errno == ENOENT || errno == ELOOP else {
                throw .folder("a file cannot be read", path, .last)
            }
            return nil
        }
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= bytesMax else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        do throws(SystemError) {
            let count = try bytes.withUnsafeMutableBufferPointer { memory throws(SystemError) in
                try FileDescriptorCalls.read(file.number, into: UnsafeMutableRawBufferPointer(memory))
            }
            bytes.removeLast(bytes.count - count)
        } catch {
            throw .folder("a file cannot be read", path, error)
        }
        return bytes
    }

    /// Writes a file durably: under a temporary name, which is then replaced by the name.
    static func write(_ bytes: [UInt8], _ name: String, in folder: String) throws(TransportError) {
        let partial = "\(folder)/.\(name).partial"
        do throws(SystemError) {
            // A process that was killed may have left it.
            unlink(partial)
            let mode = try mode(of: folder) & 0o666
            guard
                let file = OwnedDescriptor(
                    opening: partial, in: AT_FDCWD, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            else { throw .last }
            // The mode of open(2) is limited by the umask of this process.
            try withoutInterruption { fchmod(file.number, mode) }
            try FileDescriptorCalls.write(file.number, bytes)
            try withoutInterruption { fsync(file.number) }
            try withoutInterruption { rename(partial, "\(folder)/\(name)") }
            try sync(folder)
        } catch {
            unlink(partial)
            throw .folder("a file cannot be written", "\(folder)/\(name)", error)
        }
    }

    /// Removes a file, if it exists.
    static func remove(_ path: String) throws(TransportError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .folder("a file cannot be removed", path, .last) }
    }

    /// Creates a folder with the permissions of its parent, unless it exists. Other programs see it only with these
    /// permissions.
    static func makeFolder(_ name: String, in parent: String) throws(TransportError) {
        let path = "\(parent)/\(name)"
        guard !isFolder(path) else { return }
        let partial = "\(parent)/.\(name).partial"
        do throws(SystemError) {
            // A process that was killed may have left it.
            rmdir(partial)
            try withoutInterruption { mkdir(partial, 0o700) }
            // The mode of mkdir(2) is limited by the umask of this process. Under RestrictSUIDSGID= of systemd.exec(5),
            // a process cannot set the bit by which files inherit the folder's group.
            let mode = try mode(of: parent)
            if chmod(partial, mode) != 0 { try withoutInterruption { chmod(partial, mode & 0o777) } }
            guard rename(partial, path) == 0 || errno == ENOTEMPTY || errno == EEXIST else { throw .last }
            try sync(parent)
        } catch {
            rmdir(partial)
            // Another process may create the same folder at the same time.
            guard !isFolder(path) else { return }
            throw .folder("a folder cannot be created", path, error)
        }
        rmdir(partial)
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
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
    /// The failure of a call for a file of the folder.
    static func folder(_ what: String, _ path: String, _ error: SystemError) -> TransportError {
        let (code, hint): (Code, String) =
            switch error.number {
            case ENOSPC, EDQUOT: (.streamFull, "; hint: make room in the folder")
            case EACCES, EPERM, EROFS: (.refused, "; hint: let this user read and write the folder")
            case ENOENT, ENOTDIR, ESTALE, ENODEV, ENOTCONN: (.streamMissing, "")
            default: (.unexpected, "")
            }
        return TransportError(code, "\(what): \(path): \(error)\(hint)")
    }
}
