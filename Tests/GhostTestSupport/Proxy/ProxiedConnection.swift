import Dispatch
import Glibc
import StoreBasics
import Synchronization
import TestBasics

/// One connection through a `FaultyProxy`, with a thread for each direction.
final class ProxiedConnection: Sendable {
    private struct State {
        var generator: SplitMix
        var receivedBytes = 0
        /// The number of bytes to pass on before the planned end; `nil` if no end is planned.
        var bytesLeft: Int?
        var runningPumps = 2
        var isEnded = false
    }

    private let client: CInt
    private let daemon: CInt
    private let plan: ProxyPlan
    private let state: Mutex<State>
    private let isHeld: @Sendable () -> Bool
    private let onPlannedEnd: @Sendable () -> Void

    /// Wraps two connected sockets and closes them at the end.
    /// - Parameters:
    ///   - isHeld: returns true while no bytes may be passed on.
    ///   - onPlannedEnd: called once, when the connection ends as planned.
    init(
        client: CInt, daemon: CInt, plan: ProxyPlan, generator: SplitMix,
        isHeld: @escaping @Sendable () -> Bool, onPlannedEnd: @escaping @Sendable () -> Void
    ) {
        self.client = client
        self.daemon = daemon
        self.plan = plan
        self.isHeld = isHeld
        self.onPlannedEnd = onPlannedEnd
        state = Mutex(State(generator: generator, bytesLeft: plan.endsAfterBytes))
    }

    /// Starts both threads.
    ///
    /// - Parameter group: the group that each thread leaves at its end.
    func start(in group: DispatchGroup) {
        for (source, sink) in [(client, daemon), (daemon, client)] {
            group.enter()
            do {
                try OwnThread.start {
                    self.pump(from: source, to: sink)
                    self.pumpEnded()
                    group.leave()
                }
            } catch {
                pumpEnded()
                group.leave()
            }
        }
    }

    /// Closes the connection for both sides.
    func end() {
        state.withLock { state in
            state.isEnded = true
            guard state.runningPumps > 0 else { return }
            shutdown(client, CInt(SHUT_RDWR))
            shutdown(daemon, CInt(SHUT_RDWR))
        }
    }

    /// The bytes received from both sides, including bytes that were not passed on.
    var receivedBytes: Int {
        state.withLock { $0.receivedBytes }
    }

    private func pump(from source: CInt, to sink: CInt) {
        var buffer = [UInt8](repeating: 0, count: plan.pieceBytesMax)
        while true {
            let count = (try? UnixSocket.receive(source, into: &buffer)) ?? 0
            state.withLock { $0.receivedBytes += count }
            // A side that ends its data is treated as closed, because neither the client nor the daemon closes only one
            // direction.
            guard count > 0, waits() else {
                end()
                return
            }
            let (passed, isSpent) = take(count, for: sink)
            // The send also fails if this direction has ended as planned.
            guard (try? UnixSocket.send(buffer[..<passed], to: sink)) == passed else {
                end()
                return
            }
            if isSpent {
                endAsPlanned()
            }
        }
    }

    /// Returns the number of these bytes to pass on, and true if the connection ends after them.
    private func take(_ count: Int, for sink: CInt) -> (passed: Int, isSpent: Bool) {
        state.withLock { state in
            guard let left = state.bytesLeft, left <= count else {
                state.bytesLeft? -= count
                return (count, false)
            }
            state.bytesLeft = nil
            // If only the other direction ends, this one passes everything on.
            return (ends(sink) ? left : count, true)
        }
    }

    private func ends(_ sink: CInt) -> Bool {
        switch plan.ending {
        case .dropped: true
        case .answersEnded: sink == client
        case .requestsEnded: sink == daemon
        }
    }

    private func endAsPlanned() {
        onPlannedEnd()
        switch plan.ending {
        case .dropped: end()
        case .answersEnded: shutdown(client, CInt(SHUT_WR))
        case .requestsEnded: shutdown(daemon, CInt(SHUT_WR))
        }
    }

    /// Waits until the next piece may be passed on. Returns false if the connection ends before that.
    private func waits() -> Bool {
        let pause = state.withLock { Int.random(in: plan.pauseMicroseconds, using: &$0.generator) }
        let end = ContinuousClock.now + .microseconds(pause)
        while isHeld() || ContinuousClock.now < end {
            guard !(state.withLock { $0.isEnded }) else { return false }
            usleep(UInt32(clamping: pause > 0 ? min(pause, 10_000) : 1_000))
        }
        return true
    }

    /// Counts the end of one thread. The last thread closes both descriptors, because no thread uses them after that.
    private func pumpEnded() {
        state.withLock { state in
            state.runningPumps -= 1
            if state.runningPumps == 0 {
                close(client)
                close(daemon)
            }
        }
    }
}
