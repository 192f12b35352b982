package import StoreBasics

extension StoreEngine {
    /// Whether a request about one history may go on.
    ///
    /// - Throws: `.historyChanged`; why the store is not open.
    package func expect(_ history: HistoryID?) throws(StoreError) {
        if let history {
            try History.expect(history, is: try statistics().history)
        }
    }
}
