extension StoreClock {
    /// Whether the time of a message is over: nobody is shown it any more, even before it is deleted.
    ///
    /// - Parameter column: where the row has its `expires_at`; as in `MessageRow.columns`.
    func isOver(_ row: borrowing Rows, _ column: Int = MessageRow.expiryColumn) -> Bool {
        isOver(row.optionalInteger(column))
    }
}
