import Glibc
import StoreBasics
import StoreClient

/// A shell process, the guard, that kills the daemon and removes the folder when this process ends or calls `end`. The
/// guard waits in a read from a socket. After the daemon's process id, nothing more is written to the socket, so the
/// read ends only when this process closes its end or exits.
struct Guardian: Sendable {
    private static let script = """
        read -r pid && echo armed >&0; read -r line; test -z "$pid" || kill -KILL "$pid"; rm -rf "$1"
        """

    private let process: pid_t
    /// This process's end of the socket pair. The guard waits until it is closed.
    private let socket: Int32

    init(of folder: String, shell: String) throws(StoreClientError) {
        var ends: [Int32] = [-1, -1]
        // Do not use pipe(2) and fcntl(2): between the two calls another thread may start a program that inherits the
        // pipe.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw .temporaryStore("could not create a pair of sockets", SystemError.last)
        }
        // Close the guard's end here. If this process kept it open, `register` would not notice that the guard has
        // ended.
        defer { close(ends[1]) }
        do throws(StoreClientError) {
            process = try ChildStart(shell, ["-c", Self.script, "sh", folder], input: .descriptor(ends[1])).start()
        } catch {
            close(ends[0])
            throw error
        }
        socket = ends[0]
    }

    /// Passes the daemon's process id to the guard. Returns when the guard has confirmed it.
    func register(_ daemon: pid_t) throws(StoreClientError) {
        let line = Array("\(daemon)\n".utf8)
        do throws(SystemError) {
            // If the guard has ended, `send` must return an error. Without MSG_NOSIGNAL, SIGPIPE would end the test.
            let sent = try withoutInterruption { send(socket, line, line.count, Int32(MSG_NOSIGNAL)) }
            guard sent == line.count else { throw SystemError(EPIPE) }
            var answer: UInt8 = 0
            guard try withoutInterruption({ recv(socket, &answer, 1, 0) }) == 1 else { throw SystemError(EPIPE) }
        } catch {
            throw .temporaryStore("could not reach the process that ends the daemon after the test", error)
        }
    }

    /// Closes the socket, and blocks until the guard has killed the daemon and removed the folder.
    func end() {
        close(socket)
        waitForEnd(of: process)
    }
}

func waitForEnd(of process: pid_t) {
    _ = try? withoutInterruption { waitpid(process, nil, 0) }
}
