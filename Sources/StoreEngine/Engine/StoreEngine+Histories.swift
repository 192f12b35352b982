package import StoreBasics

extension StoreEngine {
    /// Checks that a request about one history may be performed.
    ///
    /// - Throws: `.historyChanged`; the reason if the store is not open.
    package func expect(_ history: HistoryID?) throws(StoreError) {
        if let history {
            try History.expect(history, is: try statistics().history)
        }
    }
}
