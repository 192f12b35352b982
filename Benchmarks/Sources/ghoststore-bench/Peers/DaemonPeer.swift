import Glibc
import StoreBasics
import StoreClient

/// The daemon on a fresh store with a key file.
final class DaemonPeer {
    let socketPath: String
    private let program: String
    private let directory: String
    private let keyPath: String
    private let logPath: String
    /// Arguments in addition to those that `start` adds.
    private let moreArguments: [String]
    private let prefix: [String]
    private var process: ChildProcess?

    /// - Parameters:
    ///   - configuration: the text of a configuration file, or `nil` for the default configuration.
    ///   - prefix: a program with its arguments that replaces itself with the daemon, such as `nice -n 19`.
    init(
        program: String, scratch: ScratchDirectory, name: String, configuration: String? = nil, prefix: [String] = []
    ) throws(BenchError) {
        self.prefix = prefix
        self.program = program
        directory = try scratch.makeDirectory(name)
        socketPath = directory + "/socket"
        keyPath = directory + "/key"
        logPath = directory + "/log"
        moreArguments = configuration == nil ? [] : ["--config", directory + "/configuration"]
        if let configuration {
            try TextFile.write(configuration, to: directory + "/configuration")
        }
        _ = try ChildProcess.run([program, "generate-key-file", keyPath], outputPath: logPath)
    }

    var processID: pid_t { process?.processID ?? 0 }

    /// Starts the daemon. The first start creates its store.
    ///
    /// - Returns: the milliseconds from the start of the program to its first response to a ping.
    @discardableResult
    func start() throws(BenchError) -> Double {
        let arguments =
            prefix + [
                program, "--state-directory", directory + "/state", "--socket", socketPath, "--key-file", keyPath,
                "--create", "--log-level", "warning",
            ] + moreArguments
        let startedAt = MonotonicClock.nanoseconds
        let process = try ChildProcess(arguments, outputPath: logPath)
        self.process = process
        while true {
            if access(socketPath, F_OK) == 0, var connection = try? FrameConnection(to: socketPath) {
                try connection.ping()
                break
            }
            try process.requireRunning()
            guard MonotonicClock.nanoseconds < startedAt + 30.0.secondsAsNanoseconds else {
                throw BenchError("ghoststored does not answer after 30 s")
            }
            pause(milliseconds: 0.2)
        }
        return Double(MonotonicClock.nanoseconds - startedAt) / 1e6
    }

    func stop() {
        process?.stop()
        process = nil
    }

    func restart() throws(BenchError) -> Double {
        stop()
        return try start()
    }

    func residentMebibytes() throws(BenchError) -> Double {
        try ProcessMemory.residentMebibytes(processID: processID)
    }

    /// Lets other users connect. The access rules decide what they may do.
    func letOthersConnect() {
        chmod(directory, 0o755)
        chmod(socketPath, 0o666)
    }

    var journalPath: String { directory + "/state/journal" }

    /// The size of the database and its WAL in bytes.
    var storeBytes: Int {
        ["store.db", "store.db-wal"].reduce(0) { sum, name in
            var status = stat()
            return stat("\(directory)/state/\(name)", &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    deinit {
        stop()
    }
}
