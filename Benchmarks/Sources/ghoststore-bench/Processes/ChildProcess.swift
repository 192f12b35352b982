import Glibc
import StoreBasics

/// A program that runs as a child process. Its output goes to a file.
final class ChildProcess {
    let processID: pid_t
    private let name: String
    private let outputPath: String
    private let stopSignal: CInt
    private(set) var isReaped = false

    /// - Parameters:
    ///   - arguments: the program (searched in PATH), then its arguments.
    ///   - outputPath: the file for standard output and standard error.
    ///   - stopSignal: the signal that asks the program to stop.
    init(_ arguments: [String], outputPath: String, stopSignal: CInt = SIGTERM) throws(BenchError) {
        name = arguments[0].split(separator: "/").last.map(String.init) ?? arguments[0]
        self.outputPath = outputPath
        self.stopSignal = stopSignal
        processID = try Self.spawn(arguments, outputPath: outputPath)
        CleanUp.add(process: processID, stopSignal: stopSignal)
    }

    /// Runs a program until it ends.
    ///
    /// - Returns: the output of the program.
    static func run(_ arguments: [String], outputPath: String) throws(BenchError) -> String {
        let process = try ChildProcess(arguments, outputPath: outputPath)
        let status = process.wait()
        let output = try TextFile.read(outputPath)
        guard status == 0 else { throw BenchError("\(process.name) failed (\(status)): \(output.suffix(2_000))") }
        return output
    }

    /// - Throws: an error with the program's output if the program has ended.
    func requireRunning() throws(BenchError) {
        var status: CInt = 0
        guard isReaped || waitpid(processID, &status, WNOHANG) == processID else { return }
        noteEnd()
        throw BenchError("\(name) ended: \((try? TextFile.read(outputPath))?.suffix(2_000) ?? "")")
    }

    /// Asks the program to stop, and waits until it has ended. After 20 s, kills the program.
    func stop() {
        guard !isReaped else { return }
        kill(processID, stopSignal)
        CleanUp.reap(processID, killAfterSeconds: 20)
        noteEnd()
    }

    private func wait() -> CInt {
        var status: CInt = 0
        _ = try? withoutInterruption { waitpid(processID, &status, 0) }
        noteEnd()
        return status
    }

    private func noteEnd() {
        isReaped = true
        CleanUp.remove(process: processID)
    }

    private static func spawn(_ arguments: [String], outputPath: String) throws(BenchError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of a task executor block signals, and a child would inherit the blocked signals. But pgbench
        // needs SIGALRM, because it uses this signal to end its run.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        // The child has its own process group, so Ctrl-C reaches only this program, which then stops its children in
        // order.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var processID = pid_t()
        let result = withCStrings(arguments) { pointers in
            posix_spawnp(&processID, arguments[0], &actions, &attributes, pointers, environ)
        }
        guard result == 0 else { throw BenchError("could not start \(arguments[0]): \(SystemError(result))") }
        return processID
    }
}

enum Programs {
    /// Returns the path of this program.
    static func own() throws(BenchError) -> String {
        guard let path = realpath("/proc/self/exe", nil) else { throw BenchError("realpath: \(SystemError.last)") }
        defer { free(path) }
        return String(cString: path)
    }

    /// - Returns: the path of the first candidate that can be executed. Names without a slash are searched in PATH.
    static func find(_ candidates: [String]) -> String? {
        let directories = getenv("PATH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
        for candidate in candidates {
            let paths = candidate.contains("/") ? [candidate] : directories.map { "\($0)/\(candidate)" }
            if let path = paths.first(where: { access($0, X_OK) == 0 }) {
                return path
            }
        }
        return nil
    }

    /// - Throws: an error that says what to install if the program is missing.
    static func require(_ name: String, at candidates: [String], package: String) throws(BenchError) -> String {
        guard let path = find(candidates) else {
            throw BenchError(
                "\(name) is not installed; hint: `make compare` installs it, or apt-get install \(package)")
        }
        return path
    }
}

/// Reads /proc/PID/status (proc(5)).
enum ProcessMemory {
    static func residentMebibytes(processID: Int32) throws(BenchError) -> Double {
        try mebibytes("VmRSS:", processID: processID)
    }

    static func mebibytes(_ name: String, processID: Int32) throws(BenchError) -> Double {
        let status = try TextFile.read("/proc/\(processID)/status")
        for line in status.split(separator: "\n") where line.hasPrefix(name) {
            if let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Double($0)
            }) {
                return kibibytes / 1_024
            }
        }
        throw BenchError("no \(name) in /proc/\(processID)/status")
    }
}

/// Reads /proc/PID/stat (proc(5)).
enum ProcessTime {
    private static let userField = 11
    private static let systemField = 12

    /// Returns the processor time that a process has used so far, without the time of its children.
    static func microseconds(processID: Int32) throws(BenchError) -> Double {
        let text = try TextFile.read("/proc/\(processID)/stat")
        // Splits only the fields after the program's name, because the name may contain spaces.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > systemField, let user = Double(fields[userField]),
            let system = Double(fields[systemField])
        else { throw BenchError("no times in /proc/\(processID)/stat") }
        return (user + system) * 1e6 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
