import StoreBasics

/// The complete state of a message in a batch, with which a store that does not have the message can create it.
package struct MessageRecord: Hashable, Sendable {
    /// The greatest generation. A real message never reaches it; the limit prevents a malicious record from using up
    /// all numbers.
    package static let generationMax: UInt64 = 1 << 32

    package var id: String
    /// The number of times that a message of this id was removed and then created again by a device that knew of the
    /// removal.
    package var generation: UInt64
    /// The message; `nil` if it was removed for good, or if `isTimerStarted` is set.
    package var content: MessageContent?
    /// True if a record without content means that the timer was started, and has ended on the device that made the
    /// record. Each device that has the message decides by the age of its own store when to delete the message.
    package var isTimerStarted: Bool

    package init(id: String, generation: UInt64, content: MessageContent?, isTimerStarted: Bool = false) {
        self.id = id
        self.generation = generation
        self.content = content
        self.isTimerStarted = isTimerStarted
    }
}

package struct MessageContent: Hashable, Sendable {
    /// The session id of the message's conversation.
    package var sessionID: String
    /// The stamp of the last change of the content; zero if it is unchanged since the message was first saved.
    package var stamp: ReplicaStamp
    /// The content as the store wrote it: fields of an `ArchivedMessage` (archives.proto).
    package var body: [UInt8]
    package var progress: MessageProgress
    /// The microseconds for which the timer still runs when the record is made; `nil` while the timer does not run. A
    /// duration is valid on every device, whatever its clock shows.
    package var remaining: Int64?
    /// In a record that publishes a change of the content: the stamp of the content that the device replaced. `nil` in
    /// records that repeat the content.
    package var basis: ReplicaStamp?

    package init(
        sessionID: String, stamp: ReplicaStamp, body: [UInt8], progress: MessageProgress, remaining: Int64?,
        basis: ReplicaStamp? = nil
    ) {
        self.sessionID = sessionID
        self.stamp = stamp
        self.body = body
        self.progress = progress
        self.remaining = remaining
        self.basis = basis
    }

    /// The number of the field `created_at_microseconds` of a body.
    package static let createdAtNumber: UInt32 = 12

    /// The time in microseconds at which the message was first saved; 0 if the body has no such time.
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

    /// Returns true if this content replaces `other`. The later change wins. If neither was edited, the content that
    /// was saved first wins.
    package func says(insteadOf other: MessageContent) -> Bool {
        guard stamp == other.stamp else { return stamp > other.stamp }
        let (time, otherTime) = (createdAt, other.createdAt)
        guard time == otherTime else { return time < otherTime }
        guard body == other.body else { return body.lexicographicallyPrecedes(other.body) }
        return sessionID.utf8.lexicographicallyPrecedes(other.sessionID.utf8)
    }
}

/// The progress of a message. It only advances. If an application sets it back on purpose, a restart is counted, and
/// the progress advances from there.
package struct MessageProgress: Hashable, Sendable {
    /// The greatest number of restarts, limited like `MessageRecord.generationMax`.
    package static let restartsMax: UInt64 = 1 << 32

    /// The number of times that an application set the message back.
    package var restarts: UInt64
    package var isRead: Bool
    /// The step: 0 pending, 1 failed, 2 sent, 3 delivered.
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
