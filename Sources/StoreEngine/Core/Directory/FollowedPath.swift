import Glibc
import StoreBasics

/// Resolves links in the path of a state directory. systemd replaces a user's state directory by a link to the folder
/// of an older version, and operators use links to other disks.
enum FollowedPath {
    /// The most links to follow, as in Linux (path_resolution(7)).
    private static let linksMax = 40

    /// Resolves all links of a path. Only links of root and of this process's user are followed, because the target of
    /// another user's link could change at any time.
    ///
    /// - Returns: a path without links. Its last part need not exist, unless a link leads to it.
    /// - Throws: `.storageFailed`; `.invalidArgument` for a path that does not begin with `/`.
    static func resolve(_ path: String) throws(StoreError) -> String {
        guard path.hasPrefix("/") else {
            throw StoreError(.invalidArgument, "the state directory is not an absolute path; begin it with /")
        }
        // A stack: the next part is the last element.
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
                    .storageFailed,
                    "the path of the state directory leads through more than \(linksMax) links, perhaps in a circle; "
                        + "name the folder itself")
            }
            if target.hasPrefix("/") {
                done = []
            }
            rest += parts(of: target, isTarget: true)
        }
        return text(done)
    }

    /// Returns the target of the link at `place`; `nil` if there is no link.
    ///
    /// - Parameter mustExist: true if a link leads to `place`. It is then an error if nothing exists there, because a
    ///   disk may not be mounted.
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
