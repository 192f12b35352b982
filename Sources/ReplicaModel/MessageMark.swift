import StoreBasics

/// What a store remembers of a message beside what it holds of it. Most messages are as they were first saved and have
/// none.
package struct MessageMark: Hashable, Sendable {
    package var generation: UInt64 = 0
    /// The message of this generation was removed.
    package var isRemoved = false
    /// True if this device has deleted the message of this generation by its timer. Other devices decide for
    /// themselves.
    package var isOver = false
    /// True if another device has started the timer of the message, which has not arrived here yet.
    package var isTimerStarted = false
    /// What it says was changed here, and has no stamp for that yet.
    package var isChanged = false
    /// Of the last change of what it says.
    package var stamp = ReplicaStamp.zero
    package var restarts: UInt64 = 0

    package init() {}

    /// What becomes of a message for a record of it.
    package enum Fate: Hashable, Sendable {
        case stays
        case goes
        /// The one that is there, if any, is of an earlier generation, and goes.
        case isMade
        case isMerged
        /// The timer of the message runs, if it has one.
        case isStarted
    }

    /// - Parameter isThere: a message of this id and generation.
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

    /// Notes that another device has started the timer.
    private mutating func start(_ startedGeneration: UInt64, isThere: Bool) -> Fate {
        guard startedGeneration == generation else {
            // A later record says what became of the message of the other generation.
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

    /// It was removed, and made again by who knew of that. The last generation has none behind it.
    package mutating func startNextGeneration() {
        let next = min(generation, MessageRecord.generationMax - 1) + 1
        self = MessageMark()
        generation = next
    }

    /// An application took a step back.
    package mutating func restart() {
        restarts = min(restarts, MessageProgress.restartsMax - 1) + 1
    }

    /// It tells something that is not so without it.
    package var isNeeded: Bool { self != MessageMark() }
}

// MARK: At rest

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

    /// - Returns: `nil` for bytes that are no mark.
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
