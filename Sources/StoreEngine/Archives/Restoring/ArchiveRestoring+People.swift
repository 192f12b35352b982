import StoreBasics

extension ArchiveRestoring {
    func restore(_ contact: ArchivedContact, _ mode: RestoreMode) throws(StoreError) -> RestoreOutcome {
        let present = try areas.contacts.whole(contact.sessionID)
        let outcome =
            present.map {
                mode.outcome(
                    contact.updatedAt, than: $0.contact.updatedAt, isSame: $0.contact.isSame(as: contact))
            } ?? .added
        guard outcome.writes, !mode.isDryRun else { return outcome }
        try areas.contacts.put(contact, over: present)
        return outcome
    }

    func restore(
        _ conversation: ArchivedConversation, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        var present = try areas.conversations.whole(conversation.sessionID)
        if let number = present?.number {
            present?.conversation.members = try MemberRows.all(of: number, connection)
        }
        let outcome =
            present.map {
                mode.outcome(
                    conversation.updatedAt, than: $0.conversation.updatedAt,
                    isSame: $0.conversation.isSame(as: conversation))
            } ?? .added
        guard outcome.writes, !mode.isDryRun else { return outcome }
        let presentRetention = present?.conversation.retention
        try areas.conversations.put(
            conversation, over: present,
            mode.changedAt == nil ? conversation.retention.keeping(presentRetention) : conversation.retention)
        let known = try areas.conversations.conversation(.session(conversation.sessionID))
        try areas.members.replaceAll(of: known, by: conversation.members ?? [])
        return outcome
    }

    func restore(_ draft: ArchivedDraft, _ mode: RestoreMode) throws(StoreError) -> RestoreOutcome {
        let present = try areas.drafts.compare(draft)
        let outcome =
            present.map {
                mode.outcome(
                    draft.updatedAt, than: $0.updatedAt,
                    isSame: $0.hasSameContent && mode.hasSameTime(draft.updatedAt, as: $0.updatedAt))
            } ?? .added
        guard outcome.writes, !mode.isDryRun else { return outcome }
        try areas.drafts.put(draft, over: present)
        return outcome
    }
}

extension ConversationRetention {
    /// Returns a retention that keeps existing messages at least as long as before, because a restore never deletes
    /// anything.
    ///
    /// - Parameter present: The retention of the existing conversation, if any.
    fileprivate func keeping(_ present: ConversationRetention?) -> ConversationRetention {
        guard let present else { return self }
        var lenient = self
        lenient.keepFor = keepFor.flatMap { own in present.keepFor.map { $0.microseconds > own.microseconds ? $0 : own }
        }
        lenient.keepCount = keepCount.flatMap { own in present.keepCount.map { max($0, own) } }
        return lenient
    }
}
