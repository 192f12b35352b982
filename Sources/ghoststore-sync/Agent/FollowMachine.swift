import ReplicaTransport
import StoreClient

/// The state machine of one followed channel: a value without I/O. The number in a message's header is not trusted. It
/// only determines where to read; the daemon decides what the message is. A refused message has no effect, and another
/// message with the same number may follow.
struct FollowMachine {
    /// The action for the next message.
    enum Verdict: Hashable {
        case handIn
        /// Acknowledge the message, because the daemon already has it.
        case acknowledge
    }

    enum Advance: Hashable {
        case goesOn
        /// Deliver this message again after a pause; the following ones may continue.
        case later
        /// Deliver this message and the following ones again after a pause.
        case pauses
    }

    /// The number of the next message to pass to the daemon.
    private(set) var next: UInt64
    /// The number that the daemon last wanted.
    private var saidWanted: UInt64?
    /// The first message in the stream after a gap. It is passed to the daemon although earlier ones are missing, so
    /// that the daemon learns of the gap.
    private(set) var firstBehindGap: UInt64?
    private(set) var isLocated = false
    /// True if the channel is read from its first message on, because the numbers in the headers were misleading.
    private(set) var isThorough = false
    /// True if the wanted message no longer exists in the stream and the daemon was informed.
    private(set) var isGapped = false
    /// The number of times that the wanted message was not where it was expected.
    private var missCount = 0
    /// True if a message that may be the wanted one requires a later version of the daemon.
    private var isHeldByVersion = false
    /// The number of messages that required a later version since the channel was last located.
    private var laterVersionCount = 0
    /// True if so many messages require a later version that they are skipped. They are found again when the channel is
    /// next located.
    var hasLeftLaterVersion: Bool { laterVersionCount > Self.laterVersionMax }

    /// The most unacknowledged messages that may wait for a later version. Any program with the right to publish can
    /// add messages that claim another version, and the servers stop delivering if too many messages are
    /// unacknowledged.
    private static let laterVersionMax = 64

    init(next: UInt64) {
        self.next = max(1, next)
    }

    /// Moves to the number that the daemon wants: forward after a snapshot, or back if the daemon had believed a wrong
    /// number. A status of the daemon may be older than its newest merges. So a number below `next` is ignored, unless
    /// it is also smaller than the number in the previous status.
    mutating func wanted(_ sequence: UInt64) {
        let isBack = saidWanted.map { sequence < $0 } ?? false
        saidWanted = sequence
        if isBack, sequence < next {
            advance(to: sequence)
            isLocated = false
        } else if sequence > next {
            advance(to: sequence)
        }
    }

    /// Evaluates a search for the wanted message.
    ///
    /// - Parameters:
    ///   - found: the first message with the wanted number or a higher one; `nil` if no such message exists.
    ///   - first: the channel's first message, if any.
    ///   - last: the channel's last message, if any.
    /// - Returns: the point from which to follow the channel.
    mutating func located(_ found: StreamMessage?, first: StreamMessage?, last: StreamMessage?) -> FollowerStart {
        isLocated = true
        isHeldByVersion = false
        laterVersionCount = 0
        firstBehindGap = nil
        isThorough = missCount > 1
        guard !isThorough else { return .first }
        guard let found else {
            guard let last, last.streamSequence < .max else { return .first }
            // If the channel ends directly before the wanted message, only new messages are needed. Otherwise the
            // numbers in the headers are misleading, and the channel is read from its first message.
            isThorough = last.identity.sequence != next - 1
            return isThorough ? .first : .streamSequence(last.streamSequence + 1)
        }
        guard found.identity.sequence > next else { return .streamSequence(found.streamSequence) }
        // The wanted message may be before the found one, among messages of other publishers.
        guard found.streamSequence == first?.streamSequence else {
            isThorough = true
            return .first
        }
        firstBehindGap = found.identity.sequence
        return .streamSequence(found.streamSequence)
    }

    func verdict(on sequence: UInt64) -> Verdict {
        // A message without a number is passed to the daemon, which decides what it is.
        sequence == 0 || sequence >= next ? .handIn : .acknowledge
    }

    /// Returns true if the stream no longer has the wanted messages before the message with this number.
    func isOldestKept(_ sequence: UInt64) -> Bool {
        sequence == firstBehindGap || isThorough && sequence > next && !isHeldByVersion
    }

    mutating func handedIn(_ sequence: UInt64, _ outcome: HandInOutcome) -> Advance {
        switch outcome {
        case .merged(let wanted):
            if wanted > next { advance(to: wanted) }
            return .goesOn
        case .refused:
            if sequence == firstBehindGap { firstBehindGap = nil }
            return .goesOn
        case .waits(.laterVersion, nil):
            // The daemon gives this answer for every message that claims a later version, even for a forged one. So
            // `isHeldByVersion` is set only for the wanted number, and all messages with this answer are counted.
            if sequence == next { isHeldByVersion = true }
            laterVersionCount += 1
            return hasLeftLaterVersion ? .goesOn : .later
        case .waits(_, let expected):
            isGapped = isGapped || isOldestKept(sequence)
            if let expected, expected != sequence, expected > 0 { miss(expected) }
            return .pauses
        }
    }

    /// Records that the consumer on the servers was lost or does not deliver the wanted message.
    mutating func lost() {
        isLocated = false
    }

    private mutating func miss(_ expected: UInt64) {
        guard expected == next else {
            next = expected
            missCount = 0
            isLocated = false
            return
        }
        // A message that may be the wanted one exists and will be delivered again, so this is no miss.
        guard !isHeldByVersion else { return }
        missCount += 1
        isLocated = false
    }

    private mutating func advance(to sequence: UInt64) {
        next = sequence
        firstBehindGap = nil
        isThorough = false
        isGapped = false
        isHeldByVersion = false
        missCount = 0
    }
}
