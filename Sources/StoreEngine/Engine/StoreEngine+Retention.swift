import StoreBasics

extension StoreEngine {
    /// Requests the deletion of due messages from the writer, which then arms the timer for the next ones. Does not
    /// count as a use of the store.
    func removeDueMessages() {
        do throws(StoreError) {
            try status.admit(.removeDueMessages)
            try writer.submit(
                WriteQueue.Write(request: WriteRequest(.removeDueMessages)) { [weak self] result in
                    if case .failure = result {
                        self?.retryDueMessages()
                    }
                })
        } catch {
            retryDueMessages()
        }
    }

    /// Repeats the request later. Does nothing for a closed store, which makes the request when it is opened, and for a
    /// damaged store, which must stay unchanged.
    private func retryDueMessages() {
        guard status.isStoreOpen, status.damage == nil else { return }
        retentionTimer.armNoLater(than: configuration.clocks.sinceBoot() + Self.retentionRetryMicroseconds)
    }

    private static let retentionRetryMicroseconds: Int64 = 1_000_000
}
