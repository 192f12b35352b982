import Glibc
import StoreBasics

/// The client's end of a Unix domain socket.
///
/// SwiftNIO connects to paths of at most 103 bytes, the limit of other systems. Linux and the daemon accept 107.
enum LocalSocket {
    /// Connects to the daemon's socket. Never blocks: it connects at once or fails.
    ///
    /// - Returns: A descriptor that the caller must close.
    /// - Throws: `EAGAIN` if the daemon's queue of pending connections is full.
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
