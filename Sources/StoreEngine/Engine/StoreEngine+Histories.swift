package import StoreBasics

extension StoreEngine {
    /// Checks that the store has the history for which a request was made; `nil` for any history.
    ///
    /// - Throws: `.historyChanged`; the reason if the store is not open.
    package func expect(_ history: HistoryID?) throws(StoreError) {
        if let history {
            try History.expect(history, is: try statistics().history)
        }
    }
}
