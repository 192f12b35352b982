import Glibc

/// Where the daemon's socket is when the command line does not say.
enum SocketChoice {
    static func path(_ given: String?) throws(BenchError) -> String {
        if let given {
            return given
        }
        if let path = getenv("GHOSTSTORE_SOCKET") {
            return String(cString: path)
        }
        let runtimeDirectory = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) + "/ghoststore/socket" }
        let places = [runtimeDirectory, "/run/ghoststore/socket"].compactMap { $0 }
        guard let path = places.first(where: { access($0, F_OK) == 0 }) else {
            throw BenchError("no ghoststored socket found; hint: start ghoststored, or name its socket with --socket")
        }
        return path
    }
}
