import Glibc
import StoreBasics
import StoreClient

/// A shell that reads what nobody writes. When the reading ends, because `end` closed the other end or because this
/// process is gone, it kills the daemon it was told of and removes the folder.
struct Guardian: Sendable {
    private static let script = """
        read -r pid && echo armed >&0; read -r line; test -z "$pid" || kill -KILL "$pid"; rm -rf "$1"
        """

    private let process: pid_t
    /// The end of the pair that keeps the guard waiting.
    private let socket: Int32

    init(of folder: String, shell: String) throws(StoreClientError) {
        var ends: [Int32] = [-1, -1]
        // Not pipe(2): between it and fcntl(2) another thread may start a program, which would inherit the ends.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw .temporaryStore("could not create a pair of sockets", SystemError.last)
        }
        // While this process has it, a guard that is gone is not noticed.
        defer { close(ends[1]) }
        do throws(StoreClientError) {
            process = try ChildStart(shell, ["-c", Self.script, "sh", folder], input: .descriptor(ends[1])).start()
        } catch {
            close(ends[0])
            throw error
        }
        socket = ends[0]
    }

    /// Returns when the guard knows that the daemon is its.
    func take(_ daemon: pid_t) throws(StoreClientError) {
        let line = Array("\(daemon)\n".utf8)
        do throws(SystemError) {
            // A guard that is gone is an error here, and not a signal that ends the test.
            let sent = try withoutInterruption { send(socket, line, line.count, Int32(MSG_NOSIGNAL)) }
            guard sent == line.count else { throw SystemError(EPIPE) }
            var answer: UInt8 = 0
            guard try withoutInterruption({ recv(socket, &answer, 1, 0) }) == 1 else { throw SystemError(EPIPE) }
        } catch {
            throw .temporaryStore("could not give the daemon's process id to the guard", error)
        }
    }

    /// Blocks until it has done its work.
    func end() {
        close(socket)
        waitForEnd(of: process)
    }
}

func waitForEnd(of process: pid_t) {
    _ = try? withoutInterruption { waitpid(process, nil, 0) }
}
