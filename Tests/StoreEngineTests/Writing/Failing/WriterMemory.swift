import SQLCipher
import StoreBasics

@testable import StoreEngine

/// A comparison of what the writer keeps in memory with the database. It may be used only when no transaction is open.
struct WriterMemory {
    /// The names that writes use, whether or not the store has them.
    let conversations: [ConversationReference]
    let logs: [LogName]

    /// Returns a description of each difference.
    func findings(_ hand: WriterInHand) throws(StoreError) -> [String] {
        let context = hand.context
        let connection = try context.openConnection()
        var findings: [String] = []
        func expect(_ isRight: Bool, _ what: @autoclosure () -> String) {
            if !isRight { findings.append(what()) }
        }
        let counted = try StatisticsRow.read(connection)
        expect(context.statistics == counted, "statistics \(context.statistics), not \(counted)")
        expect(hand.engine.status.statistics == counted, "told statistics")
        let usage = try FileUsageRows.all(connection)
        expect(context.fileUsage == usage, "file usage \(context.fileUsage), not \(usage)")
        expect(hand.engine.fileUsage == context.fileQuotas.areas(usage), "told file usage")
        expect(connection.isInAutocommit, "a transaction is open")
        expect(context.journal?.recorder.isEmpty == true, "statements are recorded")
        expect(context.journal?.recorder.hasFailedStatement == false, "a failed statement is remembered")
        expect(!context.hasUncommittedPages, "pages wait")
        expect(hand.engine.hasUnseenWrites == false, "readers wait")
        for cache in context.caches.all {
            findings += try self.findings(cache, connection)
        }
        return findings
    }

    /// Returns how one cache differs from the database. A type of cache that the switch does not handle is a finding.
    private func findings(_ cache: any TransactionCache, _ connection: Connection) throws(StoreError) -> [String] {
        switch cache {
        case let known as ConversationNumberCache:
            return try conversations.wrong { (reference) throws(StoreError) in
                try isRight(reference, known, connection)
            }.map { "conversation \($0)" }
        case let openLogs as OpenLogs:
            let wrong = try logs.wrong { (name) throws(StoreError) in try isRight(name, openLogs, connection) }
            return wrong.map { "log \($0)" }
                + (openLogs.touched.isEmpty ? [] : ["logs wait for the end of a transaction"])
        case let sums as NewMessageSums:
            return sums.waiting > 0 ? ["new messages are not counted although all pages are committed"] : []
        case let keptKeys as KeptKeyCache:
            return try keptKeys.keys.positions.wrong { (user, position) throws(StoreError) in
                try connection.first(Self.newestPosition, user)?.optionalInteger(0) ?? 0 == position
            }.map { "the position of user \($0.key) among idempotency keys" }
        case let keys as ReplicaKeyCache:
            guard let device = keys.kept?.device else { return [] }
            return try ReplicaGroupRow.read(connection)?.device == device ? [] : ["the keys of another device"]
        case let vault as WriterVault:
            return vault.begun.isEmpty ? [] : ["contents of a transaction that is over"]
        case is WantedFilesPlace, is MissingContentsPlace:
            // Every position is right, because the scan of these rows begins again after its end.
            return []
        default: return ["the cache \(type(of: cache)) is compared with nothing"]
        }
    }

    private func isRight(
        _ reference: ConversationReference, _ known: ConversationNumberCache, _ connection: Connection
    ) throws(StoreError) -> Bool {
        guard let known = known[reference] else { return true }
        let row =
            switch reference {
            case .id(let id): try connection.first(Self.byID, id)
            case .session(let session): try connection.first(Self.bySession, session)
            }
        guard let row else { return false }
        let retention = try row.conversationRetention(2)
        let id = try row.text(1)
        return known.number == row.integer(0) && known.id.text == id && known.retention == retention
    }

    private func isRight(_ name: LogName, _ logs: OpenLogs, _ connection: Connection) throws(StoreError) -> Bool {
        guard let known = logs[name] else { return true }
        guard let row = try LogRow.find(name, in: connection) else { return false }
        let read = OpenLog(row)
        return known.number == read.number && known.configuration == read.configuration
            && known.isReplicated == read.isReplicated && known.oldestSequence == read.oldestSequence
            && known.newestSequence == read.newestSequence && known.endOfNewest == read.endOfNewest
            && known.endPosition == read.endPosition && known.displaced.isEmpty
    }

    private static let newestPosition = StatementText("SELECT max(position) FROM idempotency_keys WHERE user = ?1")
    private static let byID = StatementText(
        "SELECT number, id, \(ConversationRetention.columns) FROM conversations WHERE id = ?1")
    private static let bySession = StatementText(
        "SELECT number, id, \(ConversationRetention.columns) FROM conversations WHERE session_id = ?1")
}

extension Sequence {
    /// Returns the elements for which `isRight` is false.
    fileprivate func wrong(_ isRight: (Element) throws(StoreError) -> Bool) throws(StoreError) -> [Element] {
        var wrong: [Element] = []
        for element in self where try !isRight(element) {
            wrong.append(element)
        }
        return wrong
    }
}
