/// A fixed piece of SQL that connections prepare once and keep. Clients never supply any of it.
///
/// A class, so that its identity is the key of the statement cache: no hashing of SQL on the hot path.
package final class StatementText: Sendable {
    package let sql: String

    package init(_ sql: String) {
        self.sql = sql
    }
}
