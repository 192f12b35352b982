import SQLCipher

extension MessageStatus: Bindable {
    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        rawValue.bind(to: statement, &index)
    }
}

extension Rows {
    /// - Throws: `.databaseDamaged` for a number that is not a status.
    @inline(__always)
    func status(_ column: Int) throws(StoreError) -> MessageStatus {
        guard let status = MessageStatus(rawValue: int(column)) else {
            throw .databaseDamaged("a message has an invalid status")
        }
        return status
    }
}
