import Glibc
import Synchronization

/// Where one run of the program reads and writes, and what the run keeps until its end. A process has one run; the
/// tests make many in their own process.
final class ProgramRun: Sendable {
    /// The run of the process.
    static let ofProcess = ProgramRun()
    @TaskLocal static var current = ofProcess

    /// Descriptors of standard input, standard output and standard error.
    let input: Int32
    let output: Int32
    let errors: Int32
    /// The variables of the environment; `nil` for those of the process.
    let environment: [String: String]?

    let asksForJSON = Atomic<Bool>(false)
    let hasReadInput = Atomic<Bool>(false)
    let defaults = Mutex(ClientDefaults())

    /// - Parameters:
    ///   - input: stays open, as the other two descriptors do.
    ///   - environment: all variables that the run has.
    init(input: Int32, output: Int32, errors: Int32, environment: [String: String]) {
        (self.input, self.output, self.errors) = (input, output, errors)
        self.environment = environment
    }

    private init() {
        (input, output, errors) = (STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO)
        environment = nil
    }

    /// Whether the process is there for this run alone. Only then has the run a terminal to ask on, and may change what
    /// signals do.
    var ownsProcess: Bool {
        environment == nil
    }

    /// Whether a descriptor was open before the run began, and stays open after it.
    func isStandard(_ descriptor: Int32) -> Bool {
        descriptor <= STDERR_FILENO || [input, output, errors].contains(descriptor)
    }

    /// Opens the terminal that the person sits at.
    ///
    /// - Returns: less than 0 if there is no terminal.
    func openTerminal() -> Int32 {
        ownsProcess ? open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) : -1
    }
}
