import Dispatch
import Glibc
import StoreBasics

/// Waits until a descriptor is readable. It waits on a separate thread, so that the waiting task blocks no thread of
/// the cooperative pool. Only one wait runs at a time.
final class Readiness: Sendable {
    enum Outcome {
        case ready
        case timePassed
        /// The task was cancelled.
        case woken
    }

    private let queue = DispatchQueue(label: "readiness")
    private let wakeReader: Int32
    /// A byte written here ends the current wait, or the next one.
    private let wakeWriter: Int32

    init() throws(CommandFailure) {
        (wakeReader, wakeWriter) = try Self.makePipe()
    }

    /// Creates a non-blocking pipe that child programs do not inherit.
    static func makePipe() throws(CommandFailure) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandFailure(.temporary, "the system has no room for another pipe: \(SystemError.last)")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A failed write to a full pipe is harmless, because the pipe's bytes end the wait.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }

    deinit {
        close(wakeReader)
        close(wakeWriter)
    }

    /// - Parameter time: The longest wait; `nil` waits without limit.
    func wait(for descriptor: Int32, within time: Duration? = nil) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: self.block(descriptor, time)) }
            }
        } onCancel: {
            var byte: UInt8 = 0
            write(wakeWriter, &byte, 1)
        }
    }

    private func block(_ descriptor: Int32, _ time: Duration?) -> Outcome {
        let end = time.map { ContinuousClock.now + $0 }
        while true {
            var wanted = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&wanted, 2, end.map { Self.milliseconds($0 - ContinuousClock.now) } ?? -1)
            if count < 0, errno == EINTR { continue }
            var byte: UInt8 = 0
            if wanted[1].revents != 0, read(wakeReader, &byte, 1) == 1 {
                return .woken
            }
            // A descriptor with an error is ready too, because reading it returns the error.
            return count == 0 ? .timePassed : .ready
        }
    }

    /// Returns the time in milliseconds, rounded up, so that a wait does not end too early.
    private static func milliseconds(_ time: Duration) -> Int32 {
        let (seconds, attoseconds) = time.components
        return max(0, Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
    }
}
