import Glibc

/// Finds the programs a comparison needs.
enum Programs {
    /// - Returns: the path of the first candidate that can be executed; names without a slash are searched in PATH.
    static func find(_ candidates: [String]) -> String? {
        let directories = getenv("PATH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
        for candidate in candidates {
            let paths = candidate.contains("/") ? [candidate] : directories.map { "\($0)/\(candidate)" }
            if let path = paths.first(where: { access($0, X_OK) == 0 }) {
                return path
            }
        }
        return nil
    }

    /// - Throws: what to install when it is not there.
    static func require(_ name: String, at candidates: [String], package: String) throws(BenchError) -> String {
        guard let path = find(candidates) else {
            throw BenchError(
                "\(name) is not installed; hint: `make compare` installs it, or apt-get install \(package)")
        }
        return path
    }
}
