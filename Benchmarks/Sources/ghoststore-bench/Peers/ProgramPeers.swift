import Glibc
import StoreProtocol

/// The C program epoll_echo, which shows the cost of a local server that does no work.
final class EchoPeer {
    let socketPath: String
    private let process: ChildProcess

    /// - Parameters:
    ///   - requestBytes: the size of a request frame.
    ///   - call: the call that the program answers.
    init(
        program: String, scratch: ScratchDirectory, requestBytes: Int, responseBytes: Int, call: CallKind
    ) throws(BenchError) {
        socketPath = scratch.file("echo-socket")
        // Removes the socket of a previous peer.
        unlink(socketPath)
        process = try ChildProcess(
            [program, socketPath, "\(requestBytes)", "\(responseBytes)", "\(call.rawValue)"],
            outputPath: scratch.file("echo-log"))
        try process.waitForSocket(socketPath)
    }

    func stop() {
        process.stop()
    }

    deinit {
        stop()
    }
}

/// The C program journal_floor, which shows the cost of a local server that only seals and syncs the bytes it receives.
final class JournalFloorPeer {
    /// The sizes that make up the content of a record.
    struct RecordSizes {
        var once: Int
        var forEachRequest: Int
    }

    /// The size of a journal segment.
    private static let fileBytes = 2 << 20

    let socketPath: String
    private let process: ChildProcess

    init(
        program: String, scratch: ScratchDirectory, sizes: RecordSizes, responseBytes: Int, resultField: UInt32
    ) throws(BenchError) {
        socketPath = scratch.file("floor-socket")
        unlink(socketPath)
        process = try ChildProcess(
            [
                program, socketPath, scratch.file("floor-journal"), "\(Self.fileBytes)", "\(sizes.once)",
                "\(sizes.forEachRequest)", "\(responseBytes)", "\(resultField)",
            ], outputPath: scratch.file("floor-log"))
        try process.waitForSocket(socketPath)
    }

    func stop() {
        process.stop()
    }

    deinit {
        stop()
    }
}

extension ChildProcess {
    fileprivate func waitForSocket(_ path: String) throws(BenchError) {
        while access(path, F_OK) != 0 {
            try requireRunning()
            pause(milliseconds: 5)
        }
    }
}

/// The C program sqlcipher_reads, which gets and lists messages in one process, without a daemon.
struct SQLCipherPeer {
    private let program: String
    private let scratch: ScratchDirectory
    private let conversations: Int
    private let messages: Int
    private var databasePath: String { scratch.file("sqlcipher.db") }

    init(program: String, scratch: ScratchDirectory, conversations: Int, messages: Int) throws(BenchError) {
        self.program = program
        self.scratch = scratch
        self.conversations = conversations
        self.messages = messages
        let texts = scratch.file("texts")
        try TextFile.write(SampleTexts.all.map { $0 + "\n" }.joined(), to: texts)
        _ = try ChildProcess.run(
            [program, "create", databasePath, "\(conversations)", "\(messages)", texts],
            outputPath: scratch.file("sqlcipher-output"))
    }

    enum Read: String {
        case get
        case list
    }

    /// Returns the median time of a read, in microseconds.
    func medianMicroseconds(_ read: Read, _ duration: LoopDuration) throws(BenchError) -> Double {
        let count = read == .get ? messages : conversations
        let output = try ChildProcess.run(
            [program, read.rawValue, databasePath, "\(count)", "\(duration.warmUpSeconds)", "\(duration.seconds)"],
            outputPath: scratch.file("sqlcipher-output"))
        guard let nanoseconds = output.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
            throw BenchError("sqlcipher_reads wrote something unexpected: \(output)")
        }
        return nanoseconds / 1_000
    }
}
