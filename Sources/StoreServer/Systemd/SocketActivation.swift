import Glibc

/// Sockets that the service manager made and passed on (sd_listen_fds(3)).
package enum SocketActivation {
    /// The first passed descriptor (SD_LISTEN_FDS_START).
    package static let firstDescriptor: Int32 = 3
    /// Passed sockets at most.
    package static let socketsMax: Int32 = 16

    private static let variableNames = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]

    /// A descriptor and the name the manager gave it (`FileDescriptorName=`), empty without one.
    package struct Descriptor: Sendable, Hashable {
        package let number: Int32
        package let name: String
    }

    /// Which descriptors the environment announces. Empty when none, or when they are meant for another process.
    ///
    /// - Throws: `ServerError` with code `.configuration` when the announcement makes no sense.
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

    /// Takes the passed sockets over, once, and removes the announcement so that no child believes it is meant.
    /// To be called while the process has one thread.
    ///
    /// - Throws: `ServerError` with code `.configuration` when one of them cannot be served.
    package static func takeSockets(environment: [String: String]) throws(ServerError) -> [ListeningSocket] {
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
