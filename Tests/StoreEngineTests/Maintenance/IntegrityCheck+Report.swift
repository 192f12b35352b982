import SQLCipher

@testable import StoreEngine

extension IntegrityCheck {
    /// What it finds in what a connection sees, changes that are not committed included.
    static func report(on connection: Connection) throws(StoreError) -> CheckReport {
        try run(progress: { _ in }) { part throws(StoreError) in _ = try part(connection) }
    }
}
