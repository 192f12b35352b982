import SQLCipher
import StoreBasics

/// The part of a transaction that adds, changes and removes members of conversations.
struct MemberWrites: TransactionWork {
    let transaction: Transaction
    let conversations: ConversationWrites

    func setMembers(
        _ reference: ConversationReference, _ members: [ConversationMember]
    ) throws(StoreError) -> Commit {
        try FieldLimits.checkCount(members.count, named: "members")
        for member in members {
            try member.check()
        }
        let conversation = try conversations.conversation(reference)
        try checkRoom(for: members, in: conversation)
        let last = Dictionary(members.map { ($0.sessionID, $0) }) { $1 }
        var commit = Commit()
        for sessionID in Self.unique(members.map(\.sessionID)) {
            guard let member = last[sessionID] else { continue }
            commit.ids.append(sessionID.text)
            switch try set(member, in: conversation) {
            case .created?: commit.createdCount += 1
            case .updated?: commit.updatedCount += 1
            case .deleted?, .cleared?, nil: break
            }
        }
        try touch(conversation, by: commit)
        return commit
    }

    func removeMembers(
        _ reference: ConversationReference, _ sessionIDs: [SessionID]
    ) throws(StoreError) -> Commit {
        try FieldLimits.checkCount(sessionIDs.count, named: "session ids")
        let conversation = try conversations.conversation(reference)
        var commit = Commit()
        for sessionID in Self.unique(sessionIDs) {
            commit.ids.append(sessionID.text)
            commit.deletedCount += try remove(sessionID, from: conversation) ? 1 : 0
        }
        try touch(conversation, by: commit)
        return commit
    }

    private static func unique(_ sessionIDs: [SessionID]) -> [SessionID] {
        var seen: Set<SessionID> = []
        return sessionIDs.filter { seen.insert($0).inserted }
    }

    private func checkRoom(
        for members: [ConversationMember], in conversation: KnownConversation
    ) throws(StoreError) {
        let present = try connection.first(Self.countMembers, conversation.number)?.int(0) ?? 0
        guard present + members.count > EngineLimits.membersMax else { return }
        var added: Set<SessionID> = []
        for member in members
        where try connection.first(MemberRows.selectMember, conversation.number, member.sessionID) == nil {
            added.insert(member.sessionID)
        }
        guard !added.isEmpty, present + added.count > EngineLimits.membersMax else { return }
        throw .invalidArgument(
            "the conversation would have \(present + added.count) members; the limit is \(EngineLimits.membersMax)")
    }

    /// Sets the update time of a conversation, if the commit has changed its members.
    private func touch(_ conversation: KnownConversation, by commit: Commit) throws(StoreError) {
        guard commit.createdCount + commit.updatedCount + commit.deletedCount > 0 else { return }
        try connection.run(Self.setUpdateTime, conversation.number, now)
    }

    /// Adds a member, or replaces its name and role.
    ///
    /// - Returns: `nil` if nothing had to change.
    @discardableResult
    func set(
        _ member: ConversationMember, in conversation: KnownConversation
    ) throws(StoreError) -> ChangeOperation? {
        var operation = ChangeOperation.created
        if let row = try connection.first(MemberRows.selectMember, conversation.number, member.sessionID) {
            guard try !ConversationMember(row).isSame(as: member) else { return nil }
            operation = .updated
        }
        try connection.run(
            operation == .created ? Self.insertMember : Self.updateMember, conversation.number, member.sessionID,
            member.name, member.role)
        removedContent = removedContent || operation == .updated
        record(.member, operation, id: member.sessionID.text, parent: conversation.id.text)
        return operation
    }

    /// - Returns: False if the conversation has no such member.
    func remove(_ sessionID: SessionID, from conversation: KnownConversation) throws(StoreError) -> Bool {
        guard try connection.first(MemberRows.selectMember, conversation.number, sessionID) != nil else { return false }
        try connection.run(Self.deleteMember, conversation.number, sessionID)
        removedContent = true
        record(.member, .deleted, id: sessionID.text, parent: conversation.id.text)
        return true
    }

    /// Replaces all members of a conversation, for archives.
    func replaceAll(of conversation: KnownConversation, by members: [ConversationMember]) throws(StoreError) {
        let kept = Set(members.map(\.sessionID))
        for member in try MemberRows.all(of: conversation.number, connection) where !kept.contains(member.sessionID) {
            _ = try remove(member.sessionID, from: conversation)
        }
        for member in members {
            try set(member, in: conversation)
        }
    }

    private static let countMembers = StatementText(
        "SELECT count(*) FROM conversation_members WHERE conversation = ?1")
    private static let insertMember = StatementText(
        "INSERT INTO conversation_members (conversation, session_id, name, role) VALUES (?1, ?2, ?3, ?4)")
    private static let updateMember = StatementText(
        "UPDATE OR FAIL conversation_members SET name = ?3, role = ?4 WHERE conversation = ?1 AND session_id = ?2")
    private static let deleteMember = StatementText(
        "DELETE FROM conversation_members WHERE conversation = ?1 AND session_id = ?2")
    private static let setUpdateTime = StatementText(
        "UPDATE OR FAIL conversations SET updated_at = ?2 WHERE number = ?1")
}

/// Rows of `conversation_members`.
enum MemberRows {
    /// Columns in the order of `ConversationMember.init`.
    static let columns = "session_id, name, role"
    static let selectMember = StatementText(
        "SELECT \(columns) FROM conversation_members WHERE conversation = ?1 AND session_id = ?2")
    private static let selectAll = StatementText(
        "SELECT \(columns) FROM conversation_members WHERE conversation = ?1 ORDER BY session_id")

    /// Returns all members of a conversation, ordered by session id.
    static func all(of conversation: Int64, _ connection: Connection) throws(StoreError) -> [ConversationMember] {
        let rows = try connection.rows(selectAll, conversation)
        var members: [ConversationMember] = []
        while try rows.next() {
            members.append(try ConversationMember(rows))
        }
        return members
    }
}

extension ConversationMember {
    /// - Parameter row: A row of `MemberRows.columns`.
    init(_ row: borrowing Rows) throws(StoreError) {
        self.init(sessionID: try row.name(0), name: try row.text(1), role: try row.text(2))
    }
}
