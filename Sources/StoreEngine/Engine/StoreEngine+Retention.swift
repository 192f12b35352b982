import StoreBasics

extension StoreEngine {
    /// Asks the writer for what is due; it sets the alarm for what is due next. Nobody has used the store for it.
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

    /// A store that is not open is asked when it is opened, and one that is damaged stays as it is.
    private func retryDueMessages() {
        guard status.isStoreOpen, status.damage == nil else { return }
        retentionAlarm.set(to: configuration.clocks.sinceBoot() + Self.retentionRetryMicroseconds)
    }

    private static let retentionRetryMicroseconds: Int64 = 1_000_000
}
