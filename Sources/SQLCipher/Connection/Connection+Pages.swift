import CSQLCipher

/// Whether the pages that a connection has read are what was written.
///
/// SQLCipher hands SQLite zeros for a page that does not authenticate and makes the connection fail from the next page
/// on. Where SQLite looks into the page it is damage at once; a piece of a long value it copies as it is. If nothing is
/// read after that, the value would go out with a hole in it, and the end of the transaction forgets the failure.
extension Connection {
    /// Pages came from the files since `verifyPagesRead` last looked.
    var hasUnverifiedPages: Bool {
        pagesRead.pointee != verifiedPagesRead
    }

    /// Asks for one more page, which is at hand, inside the transaction in which the others were read.
    ///
    /// - Throws: `.pageRefused` when one of the others did not authenticate.
    package func verifyPagesRead() throws(SQLCipherError) {
        if pageProbe == nil {
            // A cursor on the first table of every database: nothing shorter asks for a page.
            let sql = "SELECT 1 FROM sqlite_master LIMIT 1"
            guard sqlite3_prepare_v2(handle, sql, -1, &pageProbe, nil) == SQLITE_OK else {
                throw lastError("page probe")
            }
        }
        let result = sqlite3_step(pageProbe)
        guard result == SQLITE_ROW || result == SQLITE_DONE else {
            let error = lastError("page probe")
            sqlite3_reset(pageProbe)
            throw error
        }
        sqlite3_reset(pageProbe)
        verifiedPagesRead = pagesRead.pointee
    }
}
