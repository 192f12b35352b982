import Glibc
import TestBasics

/// A started program whose output is written to files, for tests of whole processes.
struct Program {
    let processID: pid_t
    let outputPath: String
    let errorPath: String

    /// - Parameter environment: all variables of the program, which inherits none.
    static func start(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], in folder: TemporaryDirectory,
        passing descriptors: [(from: Int32, to: Int32)] = []
    ) throws -> Program {
        let output = folder.file("output-\(getpid())-\(Int.random(in: 0..<1_000_000))")
        let errors = output + ".errors"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        for (from, to) in descriptors {
            posix_spawn_file_actions_adddup2(&actions, from, to)
        }
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var processID: pid_t = 0
        let failure = posix_spawn(&processID, path, &actions, nil, &argv, &envp)
        guard failure == 0 else { throw SystemFailure(call: "posix_spawn \(path)", number: failure) }
        return Program(processID: processID, outputPath: output, errorPath: errors)
    }

    /// Waits for the program to end and returns its exit code, or 128 plus the signal number if a signal ended it.
    func wait() throws -> Int32 {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0 {
            guard errno == EINTR else { throw SystemFailure(call: "waitpid", number: errno) }
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    func signal(_ number: Int32) {
        kill(processID, number)
    }

    var output: String { Self.text(outputPath) }
    var errors: String { Self.text(errorPath) }

    private static func text(_ path: String) -> String {
        guard let stream = fopen(path, "r") else { return "" }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, stream)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// The paths of the built programs, which are in the folder of the test program.
    static let daemonPath = builtProgram("ghoststored")
    static let controlPath = builtProgram("ghoststorectl")

    private static func builtProgram(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let program = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let beside = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)]) + "/\(name)"
        return access(beside, X_OK) == 0 ? beside : repositoryPath(".build-tests/release/\(name)")
    }
}
