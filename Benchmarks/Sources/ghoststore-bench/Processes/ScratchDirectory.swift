import Glibc
import StoreBasics

/// A temporary directory that is removed at the end of the run.
struct ScratchDirectory: Sendable {
    let path: String

    /// - Parameter parent: a directory on the disk that is measured.
    static func make(in parent: String) throws(BenchError) -> ScratchDirectory {
        var template = Array((parent + "/ghoststore-bench.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BenchError("could not make a directory in \(parent): \(SystemError.last)")
        }
        let path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        CleanUp.add(directory: path)
        // Peers that run as another user must reach their directories inside this one.
        chmod(path, 0o755)
        return ScratchDirectory(path: path)
    }

    func file(_ name: String) -> String {
        path + "/" + name
    }

    /// Creates a subdirectory that all users may enter.
    func subdirectory(_ name: String) throws(BenchError) -> ScratchDirectory {
        ScratchDirectory(path: try makeDirectory(name, mode: 0o755))
    }

    func makeDirectory(_ name: String, mode: mode_t = 0o700, owner: Account? = nil) throws(BenchError) -> String {
        let directory = file(name)
        // chmod sets the mode, because the umask removes rights from the mode of mkdir.
        guard mkdir(directory, mode) == 0, chmod(directory, mode) == 0 else {
            throw BenchError("could not make \(directory): \(SystemError.last)")
        }
        if let owner {
            guard chown(directory, owner.user, owner.group) == 0 else {
                throw BenchError("could not give \(directory) to \(owner.name): \(SystemError.last)")
            }
        }
        return directory
    }
}

/// A user account as which a peer runs, because some peers refuse to run as root.
struct Account: Sendable {
    let name: String
    let user: uid_t
    let group: gid_t

    /// - Returns: `nil` if the user does not exist.
    static func named(_ name: String) -> Account? {
        guard let entry = getpwnam(name) else { return nil }
        return Account(name: name, user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
    }
}
