import SQLCipher
import StoreBasics

/// The progress of replacing the reactions to a message by the archived ones. First the existing reactions are visited,
/// and removed if the archive lacks them; then the missing ones are added. The order of all reactions follows from
/// their times.
struct ReactionWalk: Sendable {
    /// The revision of the last reaction that was visited; `nil` after all of them.
    var revision: Int64? = .min
    /// The index of the next archived reaction to look for in the store.
    var presentCount = 0
    var hasChanged = false
}

extension ArchiveRestoring {
    /// Replaces the existing reactions to a message by the archived ones. A reaction that was added to this store after
    /// `removedAt` stays.
    func restoreReactions(
        _ wanted: [ArchivedReaction], of id: EntityID, removedAt: Timestamp, _ mode: RestoreMode,
        after progress: RemovalProgress?
    ) throws(StoreError) -> RestoreStep {
        guard let message = try areas.messages.findMessage(id) else { return .done(.equal) }
        var walk = ReactionWalk()
        if case .reactions(let begun) = progress {
            walk = begun
        }
        let wanting = ReactionsWanted(wanted, sequence: message.sequence, removedAt, connection)
        var rowCount = 0
        while let last = walk.revision {
            guard rowCount < EngineLimits.stepRowsMax, rowCount == 0 || !slice.isOver else {
                return .unfinished(.reactions(walk))
            }
            rowCount += 1
            guard let row = try connection.first(Self.nextReaction, message.sequence, last) else {
                walk.revision = nil
                break
            }
            walk.revision = row.integer(0)
            let present = ArchivedReaction(
                authorSessionID: try row.name(1), emoji: Emoji(trusted: try row.text(2)), createdAt: row.timestamp(3))
            guard present.createdAt <= removedAt else { continue }
            guard !wanting.contains(present) else { continue }
            guard !mode.isDryRun else { return .done(.updated) }
            _ = try areas.reactions.removeReaction(present.reference(to: id))
            walk.hasChanged = true
        }
        while let next = try wanting.next(from: &walk.presentCount) {
            guard !mode.isDryRun else { return .done(.updated) }
            guard rowCount < EngineLimits.stepRowsMax, rowCount == 0 || !slice.isOver else {
                return .unfinished(.reactions(walk))
            }
            rowCount += 1
            walk.presentCount += 1
            let isAdded = try areas.reactions.reactIfRoom(next.reference(to: id), at: next.createdAt)
            walk.hasChanged = isAdded || walk.hasChanged
        }
        return .done(walk.hasChanged ? .updated : .equal, rowCount: max(1, rowCount))
    }

    private static let nextReaction = StatementText(
        """
        SELECT revision, author, emoji, created_at FROM reactions WHERE message_sequence = ?1 AND revision > ?2
        ORDER BY revision LIMIT 1
        """)
}

/// The archived reactions to a message, compared with the existing ones.
private struct ReactionsWanted {
    private let wanted: [ArchivedReaction]
    private let all: Set<ArchivedReaction>
    private let sequence: Int64
    private let removedAt: Timestamp
    private let connection: Connection

    init(_ wanted: [ArchivedReaction], sequence: Int64, _ removedAt: Timestamp, _ connection: Connection) {
        self.wanted = wanted
        all = Set(wanted)
        self.sequence = sequence
        self.removedAt = removedAt
        self.connection = connection
    }

    func contains(_ reaction: ArchivedReaction) -> Bool {
        all.contains(reaction)
    }

    /// Returns the next archived reaction that the store lacks; `nil` if it has all of them.
    ///
    /// - Parameter index: The first index to check; receives the index of the returned reaction.
    func next(from index: inout Int) throws(StoreError) -> ArchivedReaction? {
        while index < wanted.count {
            let reaction = wanted[index]
            let row = try connection.first(Self.isThere, sequence, reaction.authorSessionID, reaction.emoji.text)
            guard row != nil else { return reaction }
            index += 1
        }
        return nil
    }

    private static let isThere = StatementText(
        "SELECT 1 FROM reactions WHERE message_sequence = ?1 AND author = ?2 AND emoji = ?3")
}

extension ArchivedReaction {
    fileprivate func reference(to message: EntityID) -> ReactionReference {
        ReactionReference(messageID: message, authorSessionID: authorSessionID, emoji: emoji)
    }
}
