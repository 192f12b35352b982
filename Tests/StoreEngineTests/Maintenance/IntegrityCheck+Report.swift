import SQLCipher

@testable import StoreEngine

extension IntegrityCheck {
    /// Returns the findings of the check in the view of a connection, including its uncommitted changes.
    static func report(on connection: Connection) throws(StoreError) -> CheckReport {
        try run(progress: { _ in }) { part throws(StoreError) in _ = try part(connection) }
    }
}
