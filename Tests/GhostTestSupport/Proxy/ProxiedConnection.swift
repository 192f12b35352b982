import Dispatch
import Glibc
import StoreBasics
import Synchronization
import TestBasics

/// One connection through a `FaultyProxy`: a thread for each direction.
final class ProxiedConnection: Sendable {
    private struct State {
        var generator: SplitMix
        var receivedBytes = 0
        /// How many more bytes are passed on before it ends as planned; `nil`: any number.
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

    /// Takes both descriptors over.
    /// - Parameters:
    ///   - isHeld: while this is true nothing is passed on.
    ///   - onPlannedEnd: called once, when the connection ends as its plan has it.
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

    /// - Parameter group: is left when both directions have ended.
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

    /// Both sides find the connection closed.
    func end() {
        state.withLock { state in
            state.isEnded = true
            guard state.runningPumps > 0 else { return }
            shutdown(client, CInt(SHUT_RDWR))
            shutdown(daemon, CInt(SHUT_RDWR))
        }
    }

    /// Bytes taken from both sides, passed on or not.
    var receivedBytes: Int {
        state.withLock { $0.receivedBytes }
    }

    private func pump(from source: CInt, to sink: CInt) {
        var buffer = [UInt8](repeating: 0, count: plan.pieceBytesMax)
        while true {
            let count = (try? UnixSocket.receive(source, into: &buffer)) ?? 0
            state.withLock { $0.receivedBytes += count }
            // Whoever ends what it sends is taken to be gone: neither the client nor the daemon half-closes.
            guard count > 0, waits() else {
                end()
                return
            }
            let (passed, isSpent) = take(count, for: sink)
            // Also fails where this direction was ended as planned.
            guard (try? UnixSocket.send(buffer[..<passed], to: sink)) == passed else {
                end()
                return
            }
            if isSpent {
                endAsPlanned()
            }
        }
    }

    /// How many of these bytes are passed on, and whether the connection ends then.
    private func take(_ count: Int, for sink: CInt) -> (passed: Int, isSpent: Bool) {
        state.withLock { state in
            guard let left = state.bytesLeft, left <= count else {
                state.bytesLeft? -= count
                return (count, false)
            }
            state.bytesLeft = nil
            // Nothing is left out of a direction that goes on.
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

    /// Waits before the next piece; false when the connection was ended meanwhile.
    private func waits() -> Bool {
        let pause = state.withLock { Int.random(in: plan.pauseMicroseconds, using: &$0.generator) }
        let end = ContinuousClock.now + .microseconds(pause)
        while isHeld() || ContinuousClock.now < end {
            guard !(state.withLock { $0.isEnded }) else { return false }
            usleep(UInt32(clamping: pause > 0 ? min(pause, 10_000) : 1_000))
        }
        return true
    }

    /// The last one closes the descriptors: nobody uses them any more.
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
