import Glibc
import StoreBasics
import Synchronization

/// Ctrl-C in a shell: it ends the command that runs, and not the program.
final class ShellInterrupts: Sendable {
    private enum Outcome {
        case done(CommandFailure?)
        case interrupted
    }

    /// Whether a shell at a terminal has taken Ctrl-C over.
    static var areHeeded: Bool {
        requestReader.load(ordering: .relaxed) >= 0
    }

    /// For as long as the program runs.
    static func heed() throws(CommandFailure) -> ShellInterrupts {
        let readiness = try Readiness()
        let (ends, requests) = (try Readiness.makePipe(), try Readiness.makePipe())
        endWriter.store(ends.writer, ordering: .relaxed)
        endReader.store(ends.reader, ordering: .relaxed)
        requestWriter.store(requests.writer, ordering: .relaxed)
        requestReader.store(requests.reader, ordering: .relaxed)
        signal(SIGINT) { number in
            // Only calls that are safe in a signal handler (signal-safety(7)).
            let before = errno
            handlersRunning.add(1, ordering: .sequentiallyConsistent)
            // The byte wakes a thread that asks at once whether there was an interruption, so that is noted first.
            let endsNow = Interruption.heedInShell(number)
            var byte: UInt8 = 0
            write(requestWriter.load(ordering: .relaxed), &byte, 1)
            if endsNow {
                write(endWriter.load(ordering: .relaxed), &byte, 1)
            }
            handlersRunning.subtract(1, ordering: .sequentiallyConsistent)
            errno = before
        }
        return ShellInterrupts(readiness)
    }

    private let readiness: Readiness

    private init(_ readiness: Readiness) {
        self.readiness = readiness
    }

    /// Runs a command to its end, or until it is interrupted.
    ///
    /// - Returns: why it was not done. What it was told before it ended, by the daemon or the system, it says itself.
    func run(_ command: @escaping @Sendable () async throws(CommandFailure) -> Void) async -> CommandFailure? {
        await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                do throws(CommandFailure) {
                    try await command()
                    return .done(nil)
                } catch {
                    return .done(error)
                }
            }
            group.addTask { [readiness] in
                while await readiness.wait(for: endReader.load(ordering: .relaxed)) != .ready, !Task.isCancelled {}
                return .interrupted
            }
            var isInterrupted = false
            while let outcome = await group.next() {
                switch outcome {
                case .done(let failure):
                    group.cancelAll()
                    guard isInterrupted || Interruption.isRequested, let failure else { return failure }
                    return failure.asInterruption ?? failure
                case .interrupted:
                    isInterrupted = true
                    group.cancelAll()
                }
            }
            return nil
        }
    }

    /// Waits until a descriptor can be read or written to, in a shell, where Ctrl-C does not end the program that waits
    /// for it.
    ///
    /// - Throws: on Ctrl-C.
    static func wait(for descriptor: Int32, _ events: Int32 = POLLIN) throws(CommandFailure) {
        guard areHeeded else { return }
        try block(descriptor, events)
    }

    /// Waits until somebody has typed at a terminal whose reading does not wait itself: what is typed is gone again
    /// where Ctrl-C comes between a wait and a read.
    ///
    /// - Throws: on Ctrl-C in a shell.
    static func waitForKeys(at terminal: Int32) throws(CommandFailure) {
        try block(terminal, POLLIN)
    }

    private static func block(_ descriptor: Int32, _ events: Int32) throws(CommandFailure) {
        var wanted = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            // None, and passed over, outside of a shell.
            pollfd(fd: requestReader.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0),
        ]
        _ = try? withoutInterruption { poll(&wanted, 2, -1) }
        // The byte stays: whatever else the command waits for has to see it too.
        guard wanted[1].revents == 0 else { throw .interrupted }
    }

    /// Lets some time pass, as that.
    static func pause(milliseconds: Int32) throws(CommandFailure) {
        var request = pollfd(fd: requestReader.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) <= 0 else { throw .interrupted }
    }

    /// From now on a Ctrl-C is for the next line, or the command in it.
    static func forget() {
        guard areHeeded else { return }
        // A handler may still run on another thread: the byte that it writes next would end the next line.
        while handlersRunning.load(ordering: .sequentiallyConsistent) > 0 {
            _ = poll(nil, 0, 1)
        }
        drain(endReader)
        drain(requestReader)
        Interruption.forget()
    }

    private static func drain(_ reader: borrowing Atomic<Int32>) {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader.load(ordering: .relaxed), &bytes, bytes.count) > 0 {}
    }
}

// A signal handler can reach nothing but globals. -1 outside of a shell. A byte in the first pipe for each Ctrl-C, in
// the second for one that is to end the command at once.
private let requestReader = Atomic<Int32>(-1)
private let requestWriter = Atomic<Int32>(-1)
private let endReader = Atomic<Int32>(-1)
private let endWriter = Atomic<Int32>(-1)

// The number of threads that run the signal handler now.
private let handlersRunning = Atomic<Int>(0)
