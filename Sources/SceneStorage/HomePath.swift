#if canImport(Glibc)
internal import Glibc
#endif

/// Paths that start with `~`.
enum HomePath {
    /// `~` and `~/...` with the home directory of this process; any other path as it is.
    static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else {
            return path
        }
        return String(cString: home) + path.dropFirst()
    }
}
