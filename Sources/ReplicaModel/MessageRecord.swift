/// What a batch says of a message: all of it, so that a store that has never heard of it can make it.
package struct MessageRecord: Hashable, Sendable {
    /// No message is removed so often: whoever says so means to leave no number behind it.
    package static let generationMax: UInt64 = 1 << 32

    package var id: String
    /// How often a message of this id was removed before and made again by who knew of that.
    package var generation: UInt64
    /// The message; `nil` if it was removed for good, or if `isTimerStarted` is set.
    package var content: MessageContent?
    /// True if a record without content means that the timer was started, and has run out on the device that made the
    /// record. Each device that has the message decides by its own age when to delete it.
    package var isTimerStarted: Bool

    package init(id: String, generation: UInt64, content: MessageContent?, isTimerStarted: Bool = false) {
        self.id = id
        self.generation = generation
        self.content = content
        self.isTimerStarted = isTimerStarted
    }
}

package struct MessageContent: Hashable, Sendable {
    /// The session id of its conversation.
    package var sessionID: String
    /// Of the last change of what it says; zero where that is as it was first saved.
    package var stamp: ReplicaStamp
    /// What it says, as its store wrote it. Begins with when it was made, so that of two first savings the earlier
    /// holds.
    package var body: [UInt8]
    package var progress: MessageProgress
    /// Microseconds for which the timer still runs when the record is made; `nil` while the timer does not run. A
    /// duration means the same on every device, whatever its clock shows.
    package var remaining: Int64?

    package init(
        sessionID: String, stamp: ReplicaStamp, body: [UInt8], progress: MessageProgress, remaining: Int64?
    ) {
        self.sessionID = sessionID
        self.stamp = stamp
        self.body = body
        self.progress = progress
        self.remaining = remaining
    }

    /// Of two of one message, whether this one says what the message says.
    package func says(insteadOf other: MessageContent) -> Bool {
        guard stamp == other.stamp else { return stamp > other.stamp }
        guard body == other.body else { return body.lexicographicallyPrecedes(other.body) }
        return sessionID.utf8.lexicographicallyPrecedes(other.sessionID.utf8)
    }
}

/// How far a message has come. Only forwards, but where an application takes a step back on purpose: then from there.
package struct MessageProgress: Hashable, Sendable {
    /// As `MessageRecord.generationMax`.
    package static let restartsMax: UInt64 = 1 << 32

    /// How often an application took a step back.
    package var restarts: UInt64
    package var isRead: Bool
    /// 0 on its way, 1 failed, 2 sent, 3 delivered.
    package var step: UInt8

    package init(restarts: UInt64, isRead: Bool, step: UInt8) {
        self.restarts = restarts
        self.isRead = isRead
        self.step = step
    }

    package func merged(with other: MessageProgress) -> MessageProgress {
        guard restarts == other.restarts else { return restarts > other.restarts ? self : other }
        return MessageProgress(
            restarts: restarts, isRead: isRead || other.isRead, step: max(step, other.step))
    }
}
