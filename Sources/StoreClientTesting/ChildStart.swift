import Glibc
import StoreBasics
import StoreClient

/// The start of a child process (posix_spawn(3)) with its own environment, input and output.
struct ChildStart {
    enum Input {
        /// The input is /dev/null.
        case nothing
        case descriptor(Int32)
    }

    private let path: String
    private let arguments: [String]
    private let environment: [String: String]
    private let input: Input
    private let outputPath: String

    init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: Input = .nothing,
        outputPath: String = "/dev/null"
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.outputPath = outputPath
    }

    func start() throws(StoreClientError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch input {
        case .nothing: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Give the child a process group of its own, so that ^C at the terminal ends only the test. The guard then
        // notices the end of the test.
        posix_spawnattr_setpgroup(&attributes, 0)
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        let search = getenv("PATH").map { ["PATH": String(cString: $0)] } ?? [:]
        let variables = search.merging(environment) { _, new in new }.map { "\($0.key)=\($0.value)" }
        var process: pid_t = 0
        let code = withCStrings([path] + arguments) { argumentPointers in
            withCStrings(variables) { variablePointers in
                posix_spawn(&process, path, &actions, &attributes, argumentPointers, variablePointers)
            }
        }
        guard code == 0 else { throw .temporaryStore("could not start \(path)", SystemError(code)) }
        return process
    }
}
