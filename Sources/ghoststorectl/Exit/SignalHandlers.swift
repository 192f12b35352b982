import Glibc
import StoreBasics

/// What signals that ask to end do for a while. What they did before is put back.
///
/// A signal that is ignored stays so: nohup(1) has it like that, and a shell for what it runs in the background. So do
/// all signals where the run does not own the process.
struct SignalHandlers {
    private let replaced: [(number: Int32, action: Glibc.sigaction)]

    /// - Parameter onlyUnheeded: leaves alone a signal that something else in this program heeds, which then ends by
    ///   `SignalEnding.now`.
    init(
        _ numbers: [Int32], onlyUnheeded: Bool = false, _ handler: @convention(c) (Int32) -> Void
    ) {
        var replaced: [(number: Int32, action: Glibc.sigaction)] = []
        let ownsProcess = ProgramRun.current.ownsProcess
        for number in numbers where ownsProcess && !(number == SIGINT && ShellInterrupts.areHeeded) {
            var action = Glibc.sigaction()
            guard sigaction(number, nil, &action) == 0 else { continue }
            // SIG_DFL and SIG_IGN are the addresses 0 and 1, which are no functions to compare with.
            let address = withUnsafeBytes(of: action.__sigaction_handler) { $0.loadUnaligned(as: UInt.self) }
            guard address != 1, address == 0 || !onlyUnheeded else { continue }
            signal(number, handler)
            replaced.append((number, action))
        }
        self.replaced = replaced
    }

    func putBack() {
        for (number, action) in replaced {
            var action = action
            sigaction(number, &action, nil)
        }
    }
}

/// Ends the program by a signal and leaves nothing half done: neither a terminal without echo nor a part of a file.
enum SignalEnding {
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// For handlers: makes only calls that are safe in one (signal-safety(7)).
    static func now(_ number: Int32) {
        TerminalHold.putBack()
        if let unfinishedPath {
            unlink(unfinishedPath)
        }
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Heeds signals that nothing else does.
    static func heedSignals() -> SignalHandlers {
        SignalHandlers(signals, onlyUnheeded: true) { SignalEnding.now($0) }
    }
}

/// A file that is removed when what makes it fails, or when a signal ends the program. One at a time.
final class UnfinishedFile {
    let descriptor: Int32
    let path: String
    private let handlers: SignalHandlers
    /// Whether a signal that ends the program removes the file.
    private let isKnownToSignals = ProgramRun.current.ownsProcess
    private var isKept = false

    /// - Parameter make: makes the file and gives its descriptor, or less than 0. As mkstemp(3) it may change the path
    ///   before it does.
    init(_ wanted: String, _ make: (UnsafeMutablePointer<CChar>) -> Int32) throws(SystemError) {
        precondition(!isKnownToSignals || unfinishedPath == nil, "only one file may be written at a time")
        // Never freed: a handler may be reading it on another thread.
        guard let path = strdup(wanted) else { throw SystemError(ENOMEM) }
        let descriptor = make(path)
        guard descriptor >= 0 else { throw .last }
        // Not before: what has the path already is somebody else's.
        if isKnownToSignals {
            unfinishedPath = path
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
        self.path = String(cString: path)
        handlers = SignalEnding.heedSignals()
    }

    deinit {
        close(descriptor)
        guard !isKept else { return }
        unlink(path)
        forget()
    }

    /// From now on it stays, whatever happens.
    func keep() {
        guard !isKept else { return }
        isKept = true
        forget()
    }

    private func forget() {
        if isKnownToSignals {
            unfinishedPath = nil
        }
        handlers.putBack()
    }
}

// A signal handler can reach nothing but globals. Written by the one task of a command; `nil` while nothing is
// unfinished.
nonisolated(unsafe) private var unfinishedPath: UnsafeMutablePointer<CChar>?
