import Glibc
import StoreBasics

/// Temporary handlers for signals that request the end of the program. The earlier handlers are restored afterwards.
///
/// An ignored signal stays ignored: nohup(1) relies on that, and so do shells for background jobs. If the run does not
/// own the process, no handler is changed.
struct SignalHandlers {
    private let replaced: [(number: Int32, action: Glibc.sigaction)]

    /// - Parameter onlyUnheeded: True to skip signals that other code of this program already handles. That code then
    ///   calls `SignalEnding.now`.
    init(
        _ numbers: [Int32], onlyUnheeded: Bool = false, _ handler: @convention(c) (Int32) -> Void
    ) {
        var replaced: [(number: Int32, action: Glibc.sigaction)] = []
        let ownsProcess = ProgramRun.current.ownsProcess
        for number in numbers where ownsProcess && !(number == SIGINT && ShellInterrupts.areHeeded) {
            var action = Glibc.sigaction()
            guard sigaction(number, nil, &action) == 0 else { continue }
            // SIG_DFL and SIG_IGN are the addresses 0 and 1, which cannot be compared as functions.
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

/// Ends the program by a signal after cleaning up: the terminal gets its echo back and an unfinished file is removed.
enum SignalEnding {
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Ends the program. For signal handlers: makes only calls that are safe in one (signal-safety(7)).
    static func now(_ number: Int32) {
        TerminalHold.putBack()
        if let unfinishedPath {
            unlink(unfinishedPath)
        }
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Handles the signals that no other code handles.
    static func heedSignals() -> SignalHandlers {
        SignalHandlers(signals, onlyUnheeded: true) { SignalEnding.now($0) }
    }
}

/// A file that is removed if its creation fails or a signal ends the program. Only one exists at a time.
final class UnfinishedFile {
    let descriptor: Int32
    let path: String
    private let handlers: SignalHandlers
    /// True if a signal that ends the program removes the file.
    private let isKnownToSignals = ProgramRun.current.ownsProcess
    private var isKept = false

    /// - Parameter make: Creates the file and returns its descriptor, or a negative number. It may change the path
    ///   first, as mkstemp(3) does.
    init(_ wanted: String, _ make: (UnsafeMutablePointer<CChar>) -> Int32) throws(SystemError) {
        precondition(!isKnownToSignals || unfinishedPath == nil, "only one file may be written at a time")
        // Never freed, because a handler may be reading it on another thread.
        guard let path = strdup(wanted) else { throw SystemError(ENOMEM) }
        let descriptor = make(path)
        guard descriptor >= 0 else { throw .last }
        // Set only after the file was created, because an existing file at the path belongs to another program.
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

    /// Keeps the file from now on, whatever happens.
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

// A signal handler can use only globals. Only the task of the running command writes this one; it is `nil` while no
// file is unfinished.
nonisolated(unsafe) private var unfinishedPath: UnsafeMutablePointer<CChar>?
