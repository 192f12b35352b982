/// What is known to be wrong with the connection, for the messages of calls that fail by it.
struct ConnectionFaults {
    /// Why the last attempt to connect failed; `nil` once one succeeded.
    private var attempt: StoreClientError?
    /// Why the last connection ended; `nil` once a call was answered. Kept over the connections in between: what a
    /// daemon does to one after the other is the cause of what waits for an answer all the time.
    private var loss: StoreClientError?
    /// What the daemon said about the present connection as a whole, which it closes next.
    private var refusal: StoreClientError?

    var cause: StoreClientError? {
        attempt ?? loss
    }

    mutating func connectFailed(_ error: StoreClientError) {
        attempt = error
    }

    mutating func connected() {
        attempt = nil
        refusal = nil
    }

    mutating func refused(_ error: StoreClientError?) {
        refusal = error
    }

    mutating func answered() {
        loss = nil
    }

    /// - Parameters:
    ///   - error: how the socket broke, which tells less than what the daemon said; `nil` when it was closed.
    ///   - isAwaited: calls waited for answers.
    mutating func lost(_ error: StoreClientError?, isAwaited: Bool) {
        loss = refusal ?? error ?? loss ?? (isAwaited ? .closedWithoutAnswer : nil)
        refusal = nil
    }
}

/// How long to wait before an attempt to reconnect: doubling, bounded, and spread by chance so that many clients of a
/// daemon that restarts do not come back in the same instant.
struct ReconnectDelay: Hashable, Sendable {
    let min: Duration
    let max: Duration

    /// - Parameters:
    ///   - attempt: 1 for the first attempt that waits.
    ///   - chance: from 0 to 1; the wait is between a half and the whole of the doubled delay.
    func delay(attempt: Int, chance: Double) -> Duration {
        // Past 2^20 times the least delay every sensible bound is reached.
        let doublings = Swift.min(Swift.max(attempt, 1) - 1, 20)
        let whole = Swift.min(min * (1 << doublings), max)
        return whole / 2 + whole / 2 * Swift.min(Swift.max(chance, 0), 1)
    }
}
