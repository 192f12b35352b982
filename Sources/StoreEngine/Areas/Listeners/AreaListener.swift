import StoreBasics

/// A listener that is informed of changes of areas, in their transaction. The code of the areas does not depend on its
/// listeners.
protocol AreaListener: AnyObject {
    /// Called after the row of a message with a new id was inserted. A saved message whose id exists is reported by
    /// `messageReplaced` instead.
    func messageInserted()
    /// Called before the row of a message is replaced.
    ///
    /// - Returns: True if the content was changed and the listener needs this in the change log.
    func messageReplaced(_ old: MessageRow, by row: MessageRow) throws(StoreError) -> Bool
    /// Called after the text of a message was edited.
    func messageEdited(_ id: EntityID) throws(StoreError)
    /// Called before a status is set on messages.
    func statusGiven(_ status: MessageStatus, to heads: [MessageHead]) throws(StoreError)
    /// Called before a message is deleted, or gets another text or key.
    func textOutdated(at place: MessagePlace) throws(StoreError)
    /// Called before a message is deleted, unless the message is unreachable.
    func messageDeleted(_ id: EntityID) throws(StoreError)
    func contactDeleted(_ sessionID: SessionID) throws(StoreError)
    /// Called before the row of a conversation is deleted.
    func conversationDeleted(_ number: Int64) throws(StoreError)
    /// Called before an unreachable row is deleted: the row of a message whose conversation was deleted earlier.
    ///
    /// - Parameter isRecorded: False only if other devices cannot know the message.
    func unreachableMessageRemoved(_ id: EntityID, isRecorded: Bool) throws(StoreError)
    /// Returns true if the removal of each message of a conversation must be recorded for the listener.
    ///
    /// - Parameter number: The conversation's row, which is about to be deleted.
    func needsRemovals(inConversation number: Int64) throws(StoreError) -> Bool
    /// Called before a replicated append log is deleted.
    func appendLogDeleted(_ name: LogName) throws(StoreError)
}

extension AreaListener {
    func messageInserted() {}
    func messageReplaced(_ old: MessageRow, by row: MessageRow) throws(StoreError) -> Bool { false }
    func messageEdited(_ id: EntityID) throws(StoreError) {}
    func statusGiven(_ status: MessageStatus, to heads: [MessageHead]) throws(StoreError) {}
    func textOutdated(at place: MessagePlace) throws(StoreError) {}
    func messageDeleted(_ id: EntityID) throws(StoreError) {}
    func contactDeleted(_ sessionID: SessionID) throws(StoreError) {}
    func conversationDeleted(_ number: Int64) throws(StoreError) {}
    func unreachableMessageRemoved(_ id: EntityID, isRecorded: Bool) throws(StoreError) {}
    func needsRemovals(inConversation number: Int64) throws(StoreError) -> Bool { false }
    func appendLogDeleted(_ name: LogName) throws(StoreError) {}
}

/// The listeners of a transaction, called in order.
struct AreaListeners {
    let all: [any AreaListener]

    func messageInserted() {
        for listener in all { listener.messageInserted() }
    }

    func messageReplaced(_ old: MessageRow, by row: MessageRow) throws(StoreError) -> Bool {
        var isContentChanged = false
        for listener in all where try listener.messageReplaced(old, by: row) {
            isContentChanged = true
        }
        return isContentChanged
    }

    func messageEdited(_ id: EntityID) throws(StoreError) {
        for listener in all { try listener.messageEdited(id) }
    }

    func statusGiven(_ status: MessageStatus, to heads: [MessageHead]) throws(StoreError) {
        for listener in all { try listener.statusGiven(status, to: heads) }
    }

    func textOutdated(at place: MessagePlace) throws(StoreError) {
        for listener in all { try listener.textOutdated(at: place) }
    }

    func messageDeleted(_ id: EntityID) throws(StoreError) {
        for listener in all { try listener.messageDeleted(id) }
    }

    func contactDeleted(_ sessionID: SessionID) throws(StoreError) {
        for listener in all { try listener.contactDeleted(sessionID) }
    }

    func conversationDeleted(_ number: Int64) throws(StoreError) {
        for listener in all { try listener.conversationDeleted(number) }
    }

    func unreachableMessageRemoved(_ id: EntityID, isRecorded: Bool) throws(StoreError) {
        for listener in all { try listener.unreachableMessageRemoved(id, isRecorded: isRecorded) }
    }

    func needsRemovals(inConversation number: Int64) throws(StoreError) -> Bool {
        var isNeeded = false
        for listener in all where try listener.needsRemovals(inConversation: number) {
            isNeeded = true
        }
        return isNeeded
    }

    func appendLogDeleted(_ name: LogName) throws(StoreError) {
        for listener in all { try listener.appendLogDeleted(name) }
    }
}
