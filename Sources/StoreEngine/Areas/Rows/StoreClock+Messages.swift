extension StoreClock {
    /// Returns whether a message has expired. It is then hidden from readers, even before it is deleted.
    ///
    /// - Parameter column: The index of `expires_at` in the row; by default as in `MessageRow.columns`.
    func isOver(_ row: borrowing Rows, _ column: Int = MessageRow.expiryColumn) -> Bool {
        isOver(row.optionalInteger(column))
    }
}
