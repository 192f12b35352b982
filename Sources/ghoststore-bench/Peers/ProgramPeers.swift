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

/// The C program sqlcipher_list: the list of 100 in one process, without a daemon.
struct SQLCipherPeer {
    private let program: String
    private let scratch: ScratchDirectory
    private let conversations: Int
    private var databasePath: String { scratch.file("sqlcipher.db") }

    init(program: String, scratch: ScratchDirectory, conversations: Int, messages: Int) throws(BenchError) {
        self.program = program
        self.scratch = scratch
        self.conversations = conversations
        let texts = scratch.file("texts")
        try TextFile.write(SampleTexts.all.map { $0 + "\n" }.joined(), to: texts)
        _ = try ChildProcess.run(
            [program, "create", databasePath, "\(conversations)", "\(messages)", texts],
            outputPath: scratch.file("sqlcipher-output"))
    }

    /// Median time of a list, in microseconds.
    func listMedianMicroseconds(_ duration: LoopDuration) throws(BenchError) -> Double {
        let output = try ChildProcess.run(
            [program, "list", databasePath, "\(conversations)", "\(duration.warmUpSeconds)", "\(duration.seconds)"],
            outputPath: scratch.file("sqlcipher-output"))
        guard let nanoseconds = output.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
            throw BenchError("sqlcipher_list wrote something unexpected: \(output)")
        }
        return nanoseconds / 1_000
    }
}
