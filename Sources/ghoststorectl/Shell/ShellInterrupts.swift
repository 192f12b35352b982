import Glibc
import StoreBasics
import Synchronization

/// Handles Ctrl-C in a shell: it ends the running command, and not the program.
final class ShellInterrupts: Sendable {
    private enum Outcome {
        case done(CommandFailure?)
        case interrupted
    }

    /// True if a shell at a terminal handles Ctrl-C.
    static var areHeeded: Bool {
        requestReader.load(ordering: .relaxed) >= 0
    }

    /// Starts handling Ctrl-C until the program ends.
    static func heed() throws(CommandFailure) -> ShellInterrupts {
        let readiness = try Readiness()
        let (ends, requests) = (try Readiness.makePipe(), try Readiness.makePipe())
        endWriter.store(ends.writer, ordering: .relaxed)
        endReader.store(ends.reader, ordering: .relaxed)
        requestWriter.store(requests.writer, ordering: .relaxed)
        requestReader.store(requests.reader, ordering: .relaxed)
        signal(SIGINT) { number in
            // This handler makes only calls that are safe in a signal handler (signal-safety(7)).
            let before = errno
            handlersRunning.add(1, ordering: .sequentiallyConsistent)
            // The interruption is recorded before the byte is written, because the byte wakes a thread that checks for
            // an interruption at once.
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

    /// Runs a command to its end or until it is interrupted.
    ///
    /// - Returns: The reason for the failure; `nil` after a success. After an interruption, the reason is the
    ///   interruption, unless the daemon or the system had returned another error before.
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

    /// Waits until a descriptor is readable or writable. In a shell, Ctrl-C ends the wait instead of the program.
    ///
    /// - Throws: On Ctrl-C.
    static func wait(for descriptor: Int32, _ events: Int32 = POLLIN) throws(CommandFailure) {
        guard areHeeded else { return }
        try block(descriptor, events)
    }

    /// Waits for input from a terminal that is read without blocking. Input disappears if Ctrl-C comes between the wait
    /// and the read, so a blocking read could wait without end.
    ///
    /// - Throws: On Ctrl-C in a shell.
    static func waitForKeys(at terminal: Int32) throws(CommandFailure) {
        try block(terminal, POLLIN)
    }

    private static func block(_ descriptor: Int32, _ events: Int32) throws(CommandFailure) {
        var wanted = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            // Outside of a shell this descriptor is -1, which poll(2) ignores.
            pollfd(fd: requestReader.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0),
        ]
        _ = try? withoutInterruption { poll(&wanted, 2, -1) }
        // The byte stays in the pipe, because all other waits of the command must end too.
        guard wanted[1].revents == 0 else { throw .interrupted }
    }

    /// Waits for some time. In a shell, Ctrl-C ends the wait.
    static func pause(milliseconds: Int32) throws(CommandFailure) {
        var request = pollfd(fd: requestReader.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) <= 0 else { throw .interrupted }
    }

    /// Discards earlier interruptions, so that they do not end the next line or its command.
    static func forget() {
        guard areHeeded else { return }
        // A handler may still run on another thread, and the byte that it is about to write would end the next line.
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

// A signal handler can use only globals; they are -1 outside of a shell. The first pipe receives a byte for each
// Ctrl-C, the second one for each Ctrl-C that must end the command at once.
private let requestReader = Atomic<Int32>(-1)
private let requestWriter = Atomic<Int32>(-1)
private let endReader = Atomic<Int32>(-1)
private let endWriter = Atomic<Int32>(-1)

// The number of threads that run the signal handler now.
private let handlersRunning = Atomic<Int>(0)
