import Glibc

/// Sockets that the service manager created and passed to this process (sd_listen_fds(3)).
package enum SocketActivation {
    /// The first passed descriptor (SD_LISTEN_FDS_START).
    package static let firstDescriptor: Int32 = 3
    /// The largest accepted number of passed sockets. A larger number is an error of the configuration.
    package static let socketsMax: Int32 = 16

    private static let variableNames = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]

    /// A descriptor and the name that the manager gave it (`FileDescriptorName=`). The name is empty if the manager
    /// gave none.
    package struct Descriptor: Sendable, Hashable {
        package let number: Int32
        package let name: String
    }

    /// Returns the descriptors that the environment announces; none if they are meant for another process.
    ///
    /// - Throws: `ServerError` with code `.configuration` if the announcement is invalid.
    package static func parse(environment: [String: String], processID: Int32) throws(ServerError) -> [Descriptor] {
        guard let owner = environment["LISTEN_PID"], let countText = environment["LISTEN_FDS"] else { return [] }
        guard owner == "\(processID)" else { return [] }
        guard let count = Int32(countText), (0...socketsMax).contains(count) else {
            throw ServerError(
                .configuration, "LISTEN_FDS is '\(countText)'; it must be a number from 0 to \(socketsMax)")
        }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        return (0..<count).map { index in
            let name = Int(index) < names.count ? String(names[Int(index)]) : ""
            return Descriptor(number: firstDescriptor + index, name: name)
        }
    }

    /// Takes over the passed sockets, once, and removes the environment variables that announce them, so that no child
    /// process uses the sockets. Must be called while the process has only one thread.
    ///
    /// - Throws: `ServerError` with code `.configuration` if a socket cannot be served.
    package static func claimSockets(environment: [String: String]) throws(ServerError) -> [ListeningSocket] {
        for name in variableNames {
            unsetenv(name)
        }
        var sockets: [ListeningSocket] = []
        for descriptor in try parse(environment: environment, processID: getpid()) {
            sockets.append(try ListeningSocket.adopt(descriptor.number))
        }
        return sockets
    }
}
