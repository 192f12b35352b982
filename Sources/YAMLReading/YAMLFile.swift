import Glibc
import StoreBasics

/// Reading of a configuration file, with a check of its owner and permissions.
package enum YAMLFile {
    /// The largest accepted file in bytes. A larger one is an error.
    package static let bytesMax = 1 << 20

    package struct Problem: Error, Hashable {
        package let cause: String
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - isRequired: if true, a missing file is an error.
    ///   - user: the name for this process's user in error messages. The file must belong to that user or to root.
    /// - Returns: `nil` if the file does not exist and is not required.
    package static func read(_ path: String, isRequired: Bool, ownedBy user: String) throws(Problem) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let failure = SystemError.last
            if failure.number == ENOENT && !isRequired {
                return nil
            }
            throw Problem(cause: "the file could not be opened: \(failure)")
        }
        defer { close(descriptor) }
        try checkOwner(of: descriptor, user)
        var bytes = [UInt8](repeating: 0, count: bytesMax + 1)
        let count: Int
        do {
            count = try bytes.withUnsafeMutableBytes { try FileDescriptorCalls.read(descriptor, into: $0) }
        } catch {
            throw Problem(cause: "the file could not be read: \(error)")
        }
        guard count <= bytesMax else {
            throw Problem(cause: "the file is larger than \(bytesMax) bytes: remove everything that is not a setting")
        }
        return Array(bytes.prefix(count))
    }

    /// Checks the owner and the permissions, because a user who can write the file controls the program.
    private static func checkOwner(of descriptor: Int32, _ user: String) throws(Problem) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Problem(cause: "the path is a folder or a device: name a file")
        }
        guard status.st_mode & S_IWOTH == 0 else {
            throw Problem(cause: "every user can write to it: remove that right (chmod o-w)")
        }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw Problem(cause: "the file belongs to user \(status.st_uid): it must belong to root or to \(user)")
        }
    }
}
