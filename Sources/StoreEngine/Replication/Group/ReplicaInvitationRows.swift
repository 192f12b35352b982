import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// An invitation that this store has given, or by which it joins.
struct ReplicaInvitation {
    let id: ReplicaID
    /// The age of the store at which the invitation expires.
    var expiresAt: Int64
    /// True if this store joins by the invitation; false if it has given it.
    var isOwn: Bool
    /// The device that joined by the invitation; `nil` while the invitation is open.
    var device: UInt64?
}

/// The rows of `replica_invitations`: invitations that this store has given, and the one by which it joins.
enum ReplicaInvitationRows {
    static func read(_ id: ReplicaID, _ connection: Connection) throws(StoreError) -> ReplicaInvitation? {
        guard let row = try connection.first(selectOne, id.bytes) else { return nil }
        return try invitation(row)
    }

    static func all(_ connection: Connection) throws(StoreError) -> [ReplicaInvitation] {
        var invitations: [ReplicaInvitation] = []
        let rows = try connection.rows(selectAll)
        while try rows.next() {
            invitations.append(try invitation(rows))
        }
        return invitations
    }

    static func insert(
        _ invitation: ReplicaInvitation, code: borrowing SecretBytes, _ connection: Connection
    ) throws(StoreError) {
        try code.withUnsafeBytes { (bytes) throws(StoreError) in
            try connection.run(
                insert, invitation.id.bytes, SecretColumn(bytes: bytes), invitation.expiresAt, invitation.isOwn)
        }
    }

    static func key(_ id: ReplicaID, _ connection: Connection) throws(StoreError) -> InvitationKey? {
        guard let row = try connection.first(selectKey, id.bytes) else { return nil }
        let code = try mappedKeys(SecretBytes(copying: row.borrowedBytes(0)))
        return try mappedKeys(InvitationKey(code: code))
    }

    static func setDevice(_ device: UInt64, of id: ReplicaID, _ connection: Connection) throws(StoreError) {
        try connection.run(update, id.bytes, DeviceColumn(device))
    }

    static func delete(_ id: ReplicaID, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, id.bytes)
    }

    /// Deletes the expired invitations that were not used, with their codes.
    static func deleteOver(at age: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(deleteOver, age)
    }

    private static func invitation(_ row: borrowing Rows) throws(StoreError) -> ReplicaInvitation {
        guard let id = ReplicaID(row.borrowedBytes(0)) else { throw ReplicaTables.damaged }
        return ReplicaInvitation(
            id: id, expiresAt: row.integer(1), isOwn: row.bool(2),
            device: row.optionalDevice(3))
    }

    private static let selectOne = StatementText(
        "SELECT id, expires_at, is_own, device FROM replica_invitations WHERE id = ?1")
    private static let selectAll = StatementText(
        "SELECT id, expires_at, is_own, device FROM replica_invitations ORDER BY id")
    private static let selectKey = StatementText("SELECT code FROM replica_invitations WHERE id = ?1")
    private static let insert = StatementText(
        "INSERT INTO replica_invitations (id, code, expires_at, is_own) VALUES (?1, ?2, ?3, ?4)")
    private static let update = StatementText("UPDATE OR FAIL replica_invitations SET device = ?2 WHERE id = ?1")
    private static let delete = StatementText("DELETE FROM replica_invitations WHERE id = ?1")
    private static let deleteOver = StatementText(
        "DELETE FROM replica_invitations WHERE is_own = 0 AND device IS NULL AND expires_at < ?1")
}
