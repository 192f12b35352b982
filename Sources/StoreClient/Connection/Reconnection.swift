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
