import Glibc
import StoreBasics

/// A path without links. systemd makes a link in the place of a user's state directory where the folder of an older
/// version is, and operators put a link where the data lies on another disk.
enum FollowedPath {
    /// As Linux has it (path_resolution(7)).
    private static let linksMax = 40

    /// Only links of root and of this process's user are followed: another's could lead anywhere, today or tomorrow.
    ///
    /// - Returns: the path, of which the last part need not exist, unless it is a link.
    /// - Throws: `.storageFailed`; `.invalidArgument` for a path that does not begin with `/`.
    static func resolve(_ path: String) throws(StoreError) -> String {
        guard path.hasPrefix("/") else {
            throw StoreError(.invalidArgument, "the state directory is not an absolute path; begin it with /")
        }
        // The next part comes last.
        var rest = parts(of: path, isTarget: false)
        var done: [Substring] = []
        var linkCount = 0
        while let part = rest.popLast() {
            guard part.name != ".." else {
                _ = done.popLast()
                continue
            }
            let place = text(done + [part.name])
            guard let target = try target(ofLinkAt: place, mustExist: part.isTarget) else {
                done.append(part.name)
                continue
            }
            linkCount += 1
            guard linkCount <= linksMax else {
                throw StoreError(
                    .storageFailed, "the state directory is a link that leads back to itself; name the folder itself")
            }
            if target.hasPrefix("/") {
                done = []
            }
            rest += parts(of: target, isTarget: true)
        }
        return text(done)
    }

    /// - Parameter mustExist: a link leads to the place: where nothing is there, its disk may not be mounted.
    /// - Returns: `nil` where there is no link.
    private static func target(ofLinkAt place: String, mustExist: Bool) throws(StoreError) -> String? {
        var status = stat()
        guard lstat(place, &status) == 0 else {
            let number = errno
            guard number == ENOENT else { throw SystemFailure.error("the state directory cannot be examined", number) }
            guard !mustExist else {
                throw StoreError(
                    .storageFailed, "the state directory is a link to a missing folder; mount or create the folder")
            }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFLNK else { return nil }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw StoreError(
                .storageFailed,
                "the path of the state directory contains a link that belongs to another user; name the folder itself")
        }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(place, &buffer, buffer.count)
        guard count > 0, count < buffer.count else {
            throw SystemFailure.error("the link to the state directory cannot be read", errno)
        }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private typealias Part = (name: Substring, isTarget: Bool)

    private static func parts(of path: String, isTarget: Bool) -> [Part] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map { ($0, isTarget) }
    }

    private static func text(_ parts: [Substring]) -> String {
        "/" + parts.joined(separator: "/")
    }
}
