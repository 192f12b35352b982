import Dispatch
import Glibc
import Synchronization

/// One connection through a `FaultyProxy`: a thread for each direction.
final class ProxiedConnection: Sendable {
    private struct State {
        var generator: SeededGenerator
        var passedBytes = 0
        /// How many more bytes are passed on before it ends; `nil`: any number.
        var bytesLeft: Int?
        var runningPumps = 2
        var isEnded = false
    }

    private let client: CInt
    private let daemon: CInt
    private let plan: ProxyPlan
    private let state: Mutex<State>
    /// Called once, when the connection ended as its plan has it.
    private let onPlannedEnd: @Sendable () -> Void

    /// Takes both descriptors over.
    init(
        client: CInt, daemon: CInt, plan: ProxyPlan, generator: SeededGenerator,
        onPlannedEnd: @escaping @Sendable () -> Void
    ) {
        self.client = client
        self.daemon = daemon
        self.plan = plan
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

    var passedBytes: Int {
        state.withLock { $0.passedBytes }
    }

    /// Both sides find the connection closed.
    func end() {
        state.withLock { state in
            state.isEnded = true
            guard state.runningPumps > 0 else {
                return
            }
            shutdown(client, CInt(SHUT_RDWR))
            shutdown(daemon, CInt(SHUT_RDWR))
        }
    }

    private var isEnded: Bool {
        state.withLock { $0.isEnded }
    }

    private func pump(from source: CInt, to sink: CInt) {
        var buffer = [UInt8](repeating: 0, count: plan.pieceBytesMax)
        while true {
            let count = UnixSocket.receive(source, into: &buffer)
            let passed = take(count)
            // Whoever ends what it sends is taken to be gone: neither the client nor the daemon half-closes.
            guard count > 0, waits(), UnixSocket.send(buffer[..<passed], to: sink) else {
                end()
                return
            }
            if isSpent {
                endAsPlanned(sink)
                return
            }
        }
    }

    /// How many of these bytes are passed on.
    private func take(_ count: Int) -> Int {
        state.withLock { state in
            let taken = min(count, state.bytesLeft ?? count)
            state.bytesLeft = state.bytesLeft.map { $0 - taken }
            state.passedBytes += taken
            return taken
        }
    }

    private var isSpent: Bool {
        state.withLock { $0.bytesLeft == 0 }
    }

    private func endAsPlanned(_ sink: CInt) {
        onPlannedEnd()
        switch plan.ending {
        case .dropped: end()
        case .halfClosed: shutdown(sink, CInt(SHUT_WR))
        }
    }

    /// Waits before the next piece; false when the connection was ended meanwhile.
    private func waits() -> Bool {
        guard plan.pauseMicroseconds.upperBound > 0 else {
            return true
        }
        let pause = state.withLock { Int.random(in: plan.pauseMicroseconds, using: &$0.generator) }
        let end = ContinuousClock.now + .microseconds(pause)
        while ContinuousClock.now < end {
            guard !isEnded else {
                return false
            }
            usleep(UInt32(clamping: min(pause, 10_000)))
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
