import Glibc

/// The C program epoll_echo: what a local server costs that does nothing.
final class EchoPeer {
    let socketPath: String
    private let process: ChildProcess

    /// - Parameters:
    ///   - requestBytes: bytes of a request frame.
    ///   - responseBytes: bytes of an answer frame.
    init(program: String, scratch: ScratchDirectory, requestBytes: Int, responseBytes: Int) throws(BenchError) {
        socketPath = scratch.file("echo-socket")
        process = try ChildProcess(
            [program, socketPath, "\(requestBytes)", "\(responseBytes)"], outputPath: scratch.file("echo-log"))
        while access(socketPath, F_OK) != 0 {
            try process.requireRunning()
            pause(milliseconds: 5)
        }
    }

    func stop() {
        process.stop()
    }

    deinit {
        stop()
    }
}
