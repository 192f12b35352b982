import ReplicaTransport

/// What is to be done next for one channel of this device: a value without I/O. Whatever is asked for and does not come
/// about, by a failure or by the agent's end, is found out anew from the daemon and the stream.
struct PublishMachine {
    enum Step: Hashable {
        /// Ask the stream for the channel's last message.
        case readLast
        /// Ask the stream for the channel's message of that number.
        case readMessage(UInt64)
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
    }

    private let channel: String
    private(set) var storedThrough: UInt64
    /// `nil` where the stream has to be asked.
    private var last: ExpectedLast?
    /// The stream's last message, while it is ahead of what is known to be stored.
    private var ahead: StreamMessage?
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
        if let ahead {
            guard let known = waiting.last?.sequence else { return .take(storedThrough: storedThrough, waits: false) }
            return .readMessage(min(known, ahead.identity.sequence))
        }
        guard let last else { return .readLast }
        guard let message = waiting.first else { return .take(storedThrough: storedThrough, waits: true) }
        return .publish(message, behind: last)
    }

    /// What the stream's last message is.
    mutating func read(last message: StreamMessage?) -> Notice? {
        guard let message else {
            last = ExpectedLast.none
            return storedThrough > 0 ? lossNotice(through: 0) : nil
        }
        let sequence = message.identity.sequence
        guard sequence > 0, message.identity == MessageIdentity(channel: channel, sequence: sequence) else {
            forkedAt = sequence
            return nil
        }
        if sequence > storedThrough {
            ahead = message
            compareAhead()
            return nil
        }
        last = .streamSequence(message.streamSequence)
        return sequence < storedThrough ? lossNotice(through: sequence) : nil
    }

    /// What the message asked for by `readMessage` is.
    mutating func read(_ message: StreamMessage?, at sequence: UInt64) {
        guard let own = waiting.first(where: { $0.sequence == sequence }) else {
            ahead = nil
            last = nil
            return
        }
        guard let message, message.identity == MessageIdentity(channel: channel, sequence: sequence),
            message.bytes == own.bytes
        else {
            forkedAt = sequence
            return
        }
        store(through: sequence)
    }

    /// What the daemon gave.
    mutating func took(_ messages: [OutgoingMessage]) {
        guard let first = messages.first(where: { $0.sequence > storedThrough }) else {
            // The stream has what the daemon never made.
            if let ahead { forkedAt = ahead.identity.sequence }
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

    mutating func published(_ outcome: PublishOutcome) {
        switch outcome {
        case .stored(let place):
            guard let sequence = waiting.first?.sequence else { return }
            store(through: sequence)
            last = .streamSequence(place)
        case .duplicate, .wrongLastSequence, .noQuorumYet:
            // What is there is looked at: it may be what was said before, or another's.
            last = nil
        }
    }

    /// Something asked for did not come about.
    mutating func failed() {
        last = nil
        ahead = nil
    }

    /// Compares the stream's last message with the daemon's of that number, if that is here.
    private mutating func compareAhead() {
        guard let message = ahead, let own = waiting.first(where: { $0.sequence == message.identity.sequence }) else {
            return
        }
        guard own.bytes == message.bytes else {
            forkedAt = own.sequence
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
