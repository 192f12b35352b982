import ReplicaTransport
import StoreClient

/// Where one followed channel stands, and what becomes of what was delivered: a value without I/O. The number that a
/// message is said to have is anybody's word: it says where to look, and the daemon what the message is. One that was
/// refused counts for nothing, and another of its number may come behind it.
struct FollowMachine {
    /// What is done with the next message.
    enum Verdict: Hashable {
        case handIn
        /// The daemon has it already.
        case acknowledge
    }

    enum Advance: Hashable {
        case goesOn
        /// This message is to come again after a time; those behind it may go on.
        case later
        /// This message and those behind it are to come again after a time.
        case pauses
    }

    /// The number of the next message to hand in.
    private(set) var next: UInt64
    /// What the daemon has said last that it wants.
    private var saidWanted: UInt64?
    /// The first message that the stream has behind a gap: it is handed in although others are missing, so that the
    /// daemon knows.
    private(set) var firstBehindGap: UInt64?
    private(set) var isLocated = false
    /// The channel is read from its first message on, because what its numbers say has led nowhere.
    private(set) var isThorough = false
    /// What is wanted is gone from the stream, and the daemon was told.
    private(set) var isGapped = false
    /// How often what is wanted was not where it was looked for.
    private var missCount = 0
    /// What may be the message that is wanted waits for a later version of the daemon.
    private var isHeldByVersion = false
    /// Answers that a message waits for a later version, since the channel was looked up.
    private var laterVersionCount = 0
    /// Messages that wait for a later version are left, and found when the channel is looked up again.
    var hasLeftLaterVersion: Bool { laterVersionCount > Self.laterVersionMax }

    /// Anybody who may publish can put messages there that name another version, and the servers deliver nothing more
    /// where too many are unsettled.
    private static let laterVersionMax = 64

    init(next: UInt64) {
        self.next = max(1, next)
    }

    /// The daemon wants to go on elsewhere, after a snapshot: further on, or further back where it had believed a wrong
    /// place. What it has said last may be older than what it has taken since, so less than that is no news; less than
    /// it has said before is.
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

    /// What the stream has at the place wanted or behind it.
    ///
    /// - Parameters:
    ///   - found: its first message from the wanted number on; `nil` where there is none.
    ///   - first: the channel's first message, and `last` its last, if there is any.
    /// - Returns: where following begins.
    mutating func located(_ found: StreamMessage?, first: StreamMessage?, last: StreamMessage?) -> FollowerStart {
        isLocated = true
        isHeldByVersion = false
        laterVersionCount = 0
        firstBehindGap = nil
        isThorough = missCount > 1
        guard !isThorough else { return .first }
        guard let found else {
            guard let last, last.streamSequence < .max else { return .first }
            // Only what is still to come is wanted, where the channel ends before it.
            isThorough = last.identity.sequence != next - 1
            return isThorough ? .first : .streamSequence(last.streamSequence + 1)
        }
        guard found.identity.sequence > next else { return .streamSequence(found.streamSequence) }
        // What is in front of it may be what is wanted, among messages of others.
        guard found.streamSequence == first?.streamSequence else {
            isThorough = true
            return .first
        }
        firstBehindGap = found.identity.sequence
        return .streamSequence(found.streamSequence)
    }

    func verdict(on sequence: UInt64) -> Verdict {
        // Without a number it cannot be in order; the daemon says what it is.
        sequence == 0 || sequence >= next ? .handIn : .acknowledge
    }

    /// Whether the stream has nothing any more of what is wanted before that message.
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
            // Any message says so that names another version.
            if sequence == next { isHeldByVersion = true }
            laterVersionCount += 1
            return hasLeftLaterVersion ? .goesOn : .later
        case .waits(_, let expected):
            isGapped = isGapped || isOldestKept(sequence)
            if let expected, expected != sequence, expected > 0 { miss(expected) }
            return .pauses
        }
    }

    /// The servers' place is not what is wanted, or is gone.
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
        // It is there, and comes again.
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
