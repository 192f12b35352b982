import StoreBasics

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
    /// The content, as its store wrote it: fields of an `ArchivedMessage` (archives.proto).
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

    /// The number of `created_at_microseconds` in a body.
    package static let createdAtNumber: UInt32 = 12

    /// When the message was first saved, in microseconds; 0 for a body that has no such time.
    private var createdAt: Int64 {
        body.withUnsafeBytes { bytes in
            var fields = TaggedFields(bytes)
            var time: Int64 = 0
            while let field = try? fields.next() {
                guard field.number == Self.createdAtNumber else { continue }
                time = (try? field.signed()) ?? 0
            }
            return time
        }
    }

    /// Returns which of two contents of one message counts. The later change does; of two that were never edited, the
    /// one that was saved first.
    package func says(insteadOf other: MessageContent) -> Bool {
        guard stamp == other.stamp else { return stamp > other.stamp }
        let (time, otherTime) = (createdAt, other.createdAt)
        guard time == otherTime else { return time < otherTime }
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
