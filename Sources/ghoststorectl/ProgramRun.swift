import Glibc
import Synchronization

/// The descriptors, environment and state of one run of the program. A process has one run; tests create many in their
/// own process.
final class ProgramRun: Sendable {
    static let ofProcess = ProgramRun()
    @TaskLocal static var current = ofProcess

    /// The descriptors of standard input, standard output and standard error.
    let input: Int32
    let output: Int32
    let errors: Int32
    /// The environment variables; `nil` to use the process's own.
    let environment: [String: String]?

    let asksForJSON = Atomic<Bool>(false)
    let hasReadInput = Atomic<Bool>(false)
    let defaults = Mutex(ClientDefaults())

    /// - Parameters:
    ///   - input: The descriptor of standard input. It stays open after the run, as the other two descriptors do.
    ///   - environment: All variables of the run.
    init(input: Int32, output: Int32, errors: Int32, environment: [String: String]) {
        (self.input, self.output, self.errors) = (input, output, errors)
        self.environment = environment
    }

    private init() {
        (input, output, errors) = (STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO)
        environment = nil
    }

    /// True if the process exists only for this run. Only then may the run ask on a terminal and change the effects of
    /// signals.
    var ownsProcess: Bool {
        environment == nil
    }

    /// Returns true if the descriptor was open before the run began and stays open after it.
    func isStandard(_ descriptor: Int32) -> Bool {
        descriptor <= STDERR_FILENO || [input, output, errors].contains(descriptor)
    }

    /// Opens the person's terminal.
    ///
    /// - Returns: A negative number if there is no terminal.
    func openTerminal() -> Int32 {
        ownsProcess ? open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) : -1
    }
}
