import Glibc
import StoreBasics

/// A program that this one started. Its output goes to a file.
final class ChildProcess {
    let processID: pid_t
    private let name: String
    private let outputPath: String
    private let stopSignal: CInt
    private(set) var isReaped = false

    /// - Parameters:
    ///   - arguments: the program (searched in PATH), then its arguments.
    ///   - outputPath: file for standard output and standard error.
    ///   - stopSignal: asks it to stop.
    init(_ arguments: [String], outputPath: String, stopSignal: CInt = SIGTERM) throws(BenchError) {
        name = arguments[0].split(separator: "/").last.map(String.init) ?? arguments[0]
        self.outputPath = outputPath
        self.stopSignal = stopSignal
        processID = try Self.spawn(arguments, outputPath: outputPath)
        CleanUp.add(process: processID, stopSignal: stopSignal)
    }

    /// Runs a program to its end.
    ///
    /// - Returns: what it wrote.
    static func run(_ arguments: [String], outputPath: String) throws(BenchError) -> String {
        let process = try ChildProcess(arguments, outputPath: outputPath)
        let status = process.wait()
        let output = try TextFile.read(outputPath)
        guard status == 0 else { throw BenchError("\(process.name) failed (\(status)): \(output.suffix(2_000))") }
        return output
    }

    /// - Throws: what it wrote, when it has ended.
    func requireRunning() throws(BenchError) {
        var status: CInt = 0
        guard isReaped || waitpid(processID, &status, WNOHANG) == processID else { return }
        noteEnd()
        throw BenchError("\(name) ended: \((try? TextFile.read(outputPath))?.suffix(2_000) ?? "")")
    }

    /// Asks it to stop and waits; kills it when it takes more than 20 s.
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
        // The threads of a task executor block signals, and a child would inherit that: pgbench ends by SIGALRM.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        // A group of its own: Ctrl-C reaches this program, which then stops its children in order.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var processID = pid_t()
        let result = withCStrings(arguments) { pointers in
            posix_spawnp(&processID, arguments[0], &actions, &attributes, pointers, environ)
        }
        guard result == 0 else { throw BenchError("could not start \(arguments[0]): \(SystemError(result))") }
        return processID
    }
}

/// Paths of programs.
enum Programs {
    /// Returns the path of this program.
    static func own() throws(BenchError) -> String {
        guard let path = realpath("/proc/self/exe", nil) else { throw BenchError("realpath: \(SystemError.last)") }
        defer { free(path) }
        return String(cString: path)
    }

    /// - Returns: the path of the first candidate that can be executed; names without a slash are searched in PATH.
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

    /// - Throws: what to install when it is not there.
    static func require(_ name: String, at candidates: [String], package: String) throws(BenchError) -> String {
        guard let path = find(candidates) else {
            throw BenchError(
                "\(name) is not installed; hint: `make compare` installs it, or apt-get install \(package)")
        }
        return path
    }
}

/// /proc/PID/status (proc(5)).
enum ProcessMemory {
    /// Resident memory (VmRSS) in mebibytes.
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

/// /proc/PID/stat (proc(5)).
enum ProcessTime {
    private static let userField = 11
    private static let systemField = 12

    /// Processor time of a process until now, without its children's.
    static func microseconds(processID: Int32) throws(BenchError) -> Double {
        let text = try TextFile.read("/proc/\(processID)/stat")
        // Behind the name, which may hold spaces.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > systemField, let user = Double(fields[userField]),
            let system = Double(fields[systemField])
        else { throw BenchError("no times in /proc/\(processID)/stat") }
        return (user + system) * 1e6 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
