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
        pipeReader.load(ordering: .relaxed) >= 0
    }

    /// For as long as the program runs.
    static func heed() throws(CommandFailure) -> ShellInterrupts {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandFailure(.temporary, "the system has no room for another pipe: \(SystemError.last)")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        pipeWriter.store(ends[1], ordering: .relaxed)
        pipeReader.store(ends[0], ordering: .relaxed)
        signal(SIGINT) { number in
            // Only calls that are safe in a signal handler (signal-safety(7)).
            let before = errno
            if Interruption.heedInShell(number) {
                var byte: UInt8 = 0
                write(pipeWriter.load(ordering: .relaxed), &byte, 1)
            }
            errno = before
        }
        return ShellInterrupts(try Readiness())
    }

    private let readiness: Readiness

    private init(_ readiness: Readiness) {
        self.readiness = readiness
    }

    /// Runs a command to its end, or until it is interrupted.
    ///
    /// - Returns: why it was not done.
    func run(_ command: @escaping @Sendable () async throws(CommandFailure) -> Void) async -> CommandFailure? {
        Self.drain()
        Interruption.forget()
        return await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                do throws(CommandFailure) {
                    try await command()
                    return .done(nil)
                } catch {
                    return .done(error)
                }
            }
            group.addTask { [readiness] in
                // The byte stays: a prompt that waits for a line has to see it too.
                while await readiness.wait(for: pipeReader.load(ordering: .relaxed)) != .ready, !Task.isCancelled {}
                return .interrupted
            }
            var isInterrupted = false
            while let outcome = await group.next() {
                switch outcome {
                case .done(let failure):
                    group.cancelAll()
                    return isInterrupted ? CommandFailure(.interrupted, "interrupted") : failure
                case .interrupted:
                    isInterrupted = true
                    group.cancelAll()
                }
            }
            return nil
        }
    }

    /// Waits until a terminal has a line to read, in a shell, where Ctrl-C does not end the program that waits for it.
    static func waitForLine(on terminal: Int32) throws(CommandFailure) {
        guard areHeeded else { return }
        var wanted = [
            pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
            pollfd(fd: pipeReader.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0),
        ]
        while poll(&wanted, 2, -1) < 0, errno == EINTR {}
        guard wanted[1].revents == 0 else { throw CommandFailure(.interrupted, "interrupted") }
    }

    private static func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(pipeReader.load(ordering: .relaxed), &bytes, bytes.count) > 0 {}
    }
}

// A signal handler can reach nothing but globals. -1 outside of a shell.
private let pipeReader = Atomic<Int32>(-1)
private let pipeWriter = Atomic<Int32>(-1)
