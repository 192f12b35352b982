import Glibc
import StoreBasics

/// The client's end of a Unix domain socket.
///
/// SwiftNIO connects to paths of at most 103 bytes, as other systems have it. Linux takes 107, and so does the daemon.
enum LocalSocket {
    /// Connects to the daemon's socket. Never blocks: the connection stands at once, or the call fails.
    ///
    /// - Returns: a descriptor that the caller closes.
    /// - Throws: `EAGAIN` where as many connections as fit wait for the daemon to accept them.
    static func connect(to path: String) throws(SystemError) -> CInt {
        guard let address = UnixAddress(path: path) else { throw SystemError(ENAMETOOLONG) }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .last }
        guard address.withSocketAddress({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        return descriptor
    }
}
