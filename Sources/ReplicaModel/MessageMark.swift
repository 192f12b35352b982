import StoreBasics

/// Replication data that a store has besides a message itself. Most messages were never changed since they were first
/// saved and have no mark.
package struct MessageMark: Hashable, Sendable {
    package var generation: UInt64 = 0
    /// True if the message of this generation was removed.
    package var isRemoved = false
    /// True if this device has deleted the message of this generation by its timer. Each other device decides itself
    /// when to delete its copy.
    package var isOver = false
    /// True if another device has started the timer of a message that has not arrived on this device yet.
    package var isTimerStarted = false
    /// True if this device has changed the content and the change has no stamp yet.
    package var isChanged = false
    /// The stamp of the last change of the content.
    package var stamp = ReplicaStamp.zero
    package var restarts: UInt64 = 0

    package init() {}

    /// The effect of a record on a message.
    package enum Fate: Hashable, Sendable {
        case stays
        case goes
        /// The message of the record is inserted. An existing message is of an earlier generation and is deleted.
        case isMade
        case isMerged
        /// The timer of the message starts, if it has one.
        case isStarted
    }

    /// Merges a record into the mark and returns its effect on the message.
    ///
    /// - Parameter isThere: true if the store has a message of this id and of the mark's generation.
    package mutating func fate(of record: MessageRecord, isThere: Bool) -> Fate {
        guard record.generation >= generation, record.generation > generation || !isRemoved else { return .stays }
        guard record.content != nil else {
            guard record.isTimerStarted else {
                self = .removed(generation: record.generation)
                return .goes
            }
            return start(record.generation, isThere: isThere)
        }
        let isOfNextGeneration = record.generation > generation
        if isOfNextGeneration {
            self = MessageMark()
            generation = record.generation
        }
        return isThere && !isOfNextGeneration ? .isMerged : .isMade
    }

    /// Merges a record which says that another device has started the timer.
    private mutating func start(_ startedGeneration: UInt64, isThere: Bool) -> Fate {
        guard startedGeneration == generation else {
            // If the store has the message of an earlier generation, keep it, because a later record will contain the
            // message of `startedGeneration`.
            guard !isThere else { return .stays }
            self = MessageMark()
            generation = startedGeneration
            isTimerStarted = true
            return .isStarted
        }
        isTimerStarted = !isThere && !isOver
        return isOver ? .stays : .isStarted
    }

    package static func removed(generation: UInt64) -> MessageMark {
        var mark = MessageMark()
        mark.generation = generation
        mark.isRemoved = true
        return mark
    }

    package static func over(generation: UInt64) -> MessageMark {
        var mark = MessageMark()
        mark.generation = generation
        mark.isOver = true
        return mark
    }

    /// Begins the next generation, because a message was created again by a device that knew of its removal. At the
    /// greatest possible generation, the number stays the same.
    package mutating func startNextGeneration() {
        let next = min(generation, MessageRecord.generationMax - 1) + 1
        self = MessageMark()
        generation = next
    }

    /// Counts a restart, because an application set the message back to an earlier step.
    package mutating func restart() {
        restarts = min(restarts, MessageProgress.restartsMax - 1) + 1
    }

    /// True if the mark has information that must be stored.
    package var isNeeded: Bool { self != MessageMark() }
}

// MARK: Stored form

extension MessageMark {
    private static let removedFlag: UInt8 = 1
    private static let changedFlag: UInt8 = 2
    private static let overFlag: UInt8 = 4
    private static let startedFlag: UInt8 = 8
    private static let allFlags = removedFlag | changedFlag | overFlag | startedFlag

    package var bytes: [UInt8] {
        var flags: UInt8 = isRemoved ? Self.removedFlag : 0
        flags |= isChanged ? Self.changedFlag : 0
        flags |= isOver ? Self.overFlag : 0
        flags |= isTimerStarted ? Self.startedFlag : 0
        var bytes: [UInt8] = [flags]
        bytes.append(leb128: generation)
        guard !isRemoved, !isOver else { return bytes }
        stamp.append(to: &bytes)
        bytes.append(leb128: restarts)
        return bytes
    }

    /// Decodes a mark; returns `nil` for invalid bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard let flags = reader.byte(), flags & ~Self.allFlags == 0,
            let generation = reader.leb128()
        else { return nil }
        self.generation = generation
        isRemoved = flags & Self.removedFlag != 0
        isChanged = flags & Self.changedFlag != 0
        isOver = flags & Self.overFlag != 0
        isTimerStarted = flags & Self.startedFlag != 0
        if !isRemoved, !isOver {
            guard let stamp = ReplicaStamp(&reader), let restarts = reader.leb128() else { return nil }
            self.stamp = stamp
            self.restarts = restarts
        }
        guard reader.isAtEnd else { return nil }
    }
}
