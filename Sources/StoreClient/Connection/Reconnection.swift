/// The known faults of the connection, for the error messages of calls that fail because of these faults.
struct ConnectionFaults {
    /// The reason why the last attempt to connect failed; `nil` after a successful one.
    private var attempt: StoreClientError?
    /// The reason why the last connection ended; `nil` after a call was answered. A new connection does not clear the
    /// reason: if the daemon ends each connection before it answers, the reason explains why calls still wait.
    private var loss: StoreClientError?
    /// The daemon's error about the present connection as a whole. The daemon closes the connection after such an
    /// error.
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

    /// Records the reason why the connection ended.
    ///
    /// - Parameters:
    ///   - error: The error of the socket, which says less than an error from the daemon; `nil` if the socket was
    ///     closed.
    ///   - isAwaited: True if calls waited for answers.
    mutating func lost(_ error: StoreClientError?, isAwaited: Bool) {
        loss = refusal ?? error ?? loss ?? (isAwaited ? .closedWithoutAnswer : nil)
        refusal = nil
    }
}
