import ReplicaTransport

/// What is to be done next for one channel of this device: a value without I/O. Whatever is asked for and does not come
/// about, by a failure or by the agent's end, is found out anew from the daemon and the stream.
struct PublishMachine {
    enum Step: Hashable {
        /// Ask the stream for the channel's last message.
        case readLast
        /// Ask the stream for the channel's message of that number.
        case readMessage(UInt64)
        /// Ask the stream for what lies at a place, which it says to be this device's message already.
        case readPlace(UInt64)
        /// Ask the daemon whose message that is, which it has not given.
        case judge(StreamMessage)
        /// Ask the daemon for messages behind what is stored, and wait for some where `waits` says so.
        case take(storedThrough: UInt64, waits: Bool)
        case publish(OutgoingMessage, behind: ExpectedLast)
        /// Another store published as this device. Nothing is published any more: followers would get either's.
        case forked(sequence: UInt64)
    }

    /// What is worth telling a person.
    enum Notice: Hashable {
        /// The stream has lost messages that were stored, and keeps those up to a number; followers miss the others.
        case lost(through: UInt64, storedThrough: UInt64)
        /// Somebody who is not this device has put a message into its channel.
        case foreign(StreamMessage)
    }

    /// Whose a message is.
    enum Judgement: Hashable {
        /// This device has made it.
        case own
        /// It has this device's signature, and was made elsewhere.
        case copy
        /// Anybody's: it means nothing, and followers pass over it.
        case foreign
    }

    private let channel: String
    private(set) var storedThrough: UInt64
    /// `nil` where the stream has to be asked.
    private var last: ExpectedLast?
    /// The stream's last message, while it is ahead of what is known to be stored.
    private var ahead: StreamMessage?
    /// What the daemon is to judge.
    private var doubtful: StreamMessage?
    /// Where the stream says to have the first message that waits.
    private var knownPlace: UInt64?
    /// The place of the last message that was another's.
    private var foreignPlace: UInt64?
    /// Of the daemon, in order, behind what is stored.
    private var waiting: ArraySlice<OutgoingMessage> = []
    private var forkedAt: UInt64?
    private var wasLossTold = false

    init(channel: String, storedThrough: UInt64) {
        self.channel = channel
        self.storedThrough = storedThrough
    }

    var step: Step {
        if let forkedAt { return .forked(sequence: forkedAt) }
        if let doubtful { return .judge(doubtful) }
        if let knownPlace { return .readPlace(knownPlace) }
        if let ahead {
            guard let known = waiting.last?.sequence else { return .take(storedThrough: storedThrough, waits: false) }
            return .readMessage(min(known, ahead.identity.sequence))
        }
        guard let last else { return .readLast }
        guard let message = waiting.first else { return .take(storedThrough: storedThrough, waits: true) }
        return .publish(message, behind: last)
    }

    // MARK: What the stream says

    /// What the stream's last message is.
    mutating func read(last message: StreamMessage?) -> Notice? {
        guard let message else {
            last = ExpectedLast.none
            return storedThrough > 0 ? lossNotice(through: 0) : nil
        }
        if message.streamSequence == foreignPlace {
            last = .streamSequence(message.streamSequence)
            return nil
        }
        let sequence = message.identity.sequence
        guard sequence >= max(1, storedThrough), isNamed(message) else {
            doubtful = message
            return nil
        }
        if sequence > storedThrough {
            ahead = message
            compareAhead()
            return nil
        }
        last = .streamSequence(message.streamSequence)
        return nil
    }

    /// What the message asked for by `readMessage` is.
    mutating func read(_ message: StreamMessage?, at sequence: UInt64) {
        guard let own = waiting.first(where: { $0.sequence == sequence }), let message else {
            ahead = nil
            last = nil
            return
        }
        guard message.identity.sequence == sequence, message.bytes == own.bytes else {
            doubtful = message
            return
        }
        store(through: sequence)
    }

    /// What the message asked for by `readPlace` is.
    ///
    /// - Returns: whether it is this device's.
    mutating func readPlace(_ message: StreamMessage?) -> Bool {
        knownPlace = nil
        guard let own = waiting.first, let message, message.bytes == own.bytes else { return false }
        store(through: own.sequence)
        return true
    }

    mutating func published(_ outcome: PublishOutcome) {
        switch outcome {
        case .stored(let place):
            guard let sequence = waiting.first?.sequence else { return }
            store(through: sequence)
            last = .streamSequence(place)
        case .duplicate(let place):
            knownPlace = place
            last = nil
        case .wrongLastSequence, .noQuorumYet:
            // What is there is looked at: it may be what was said before, or another's.
            last = nil
        }
    }

    // MARK: What the daemon says

    /// What the daemon gave.
    mutating func took(_ messages: [OutgoingMessage]) {
        guard let first = messages.first(where: { $0.sequence > storedThrough }) else {
            // The stream has what the daemon did not make, or says so.
            doubtful = ahead
            return
        }
        if first.sequence - 1 > storedThrough {
            // The daemon knows of more that is stored, from another agent.
            storedThrough = first.sequence - 1
            last = nil
            ahead = nil
        }
        waiting = []
        for message in messages where message.sequence > storedThrough {
            guard message.sequence - storedThrough == UInt64(waiting.count) + 1 else { break }
            waiting.append(message)
        }
        compareAhead()
    }

    /// Whose the message is that `judge` asked about.
    mutating func judged(_ judgement: Judgement) -> Notice? {
        guard let message = doubtful else { return nil }
        doubtful = nil
        if judgement == .copy {
            forkedAt = message.identity.sequence
            return nil
        }
        if let ahead, ahead.streamSequence != message.streamSequence {
            // What lies behind it may be a copy's.
            doubtful = ahead
        } else {
            // Everything is published behind it that is not known to be stored: what was there comes again, and
            // followers have it already.
            foreignPlace = message.streamSequence
            last = .streamSequence(message.streamSequence)
        }
        ahead = nil
        guard judgement == .own else { return .foreign(message) }
        let sequence = message.identity.sequence
        return sequence < storedThrough ? lossNotice(through: sequence) : nil
    }

    /// Something asked for did not come about.
    mutating func failed() {
        last = nil
        ahead = nil
        doubtful = nil
        knownPlace = nil
    }

    // MARK: Comparing

    private func isNamed(_ message: StreamMessage) -> Bool {
        let sequence = message.identity.sequence
        return message.identity == MessageIdentity(channel: channel, sequence: sequence, bytes: message.bytes)
    }

    /// Compares the stream's last message with the daemon's of that number, if that is here.
    private mutating func compareAhead() {
        guard let message = ahead, let own = waiting.first(where: { $0.sequence == message.identity.sequence }) else {
            return
        }
        guard own.bytes == message.bytes else {
            doubtful = message
            return
        }
        store(through: own.sequence)
        last = .streamSequence(message.streamSequence)
    }

    private mutating func store(through sequence: UInt64) {
        storedThrough = sequence
        waiting = waiting.drop { $0.sequence <= sequence }
        if let ahead, ahead.identity.sequence <= sequence { self.ahead = nil }
    }

    private mutating func lossNotice(through sequence: UInt64) -> Notice? {
        guard !wasLossTold else { return nil }
        wasLossTold = true
        return .lost(through: sequence, storedThrough: storedThrough)
    }
}
