extension ChangePage: NumberedPage {
    static func number(of change: Change) -> UInt64 {
        change.revision
    }

    var nextStart: UInt64? {
        hasMore ? throughRevision : nil
    }
}
