import ReplicaTransport

/// The state machine of one published channel: a value without I/O. If a step fails or the agent ends, the state is
/// determined again from the daemon and the stream.
struct PublishMachine {
    enum Step: Hashable {
        /// Read the channel's last message from the stream.
        case readLast
        /// Read the channel's message with this number from the stream.
        case readMessage(UInt64)
        /// Read the message at this stream sequence, because the stream rejected the first waiting message as a
        /// duplicate of it.
        case readPlace(UInt64)
        /// Ask the daemon for the maker of a message that the daemon has not provided.
        case judge(StreamMessage)
        /// Get the messages after the stored ones from the daemon; wait for a message if `waits` is true.
        case take(storedThrough: UInt64, waits: Bool)
        case publish(OutgoingMessage, behind: ExpectedLast)
        /// Stop, because another store published as this device. Followers would otherwise get a mixture of the
        /// messages of two stores.
        case forked(sequence: UInt64)
    }

    /// An event to log.
    enum Notice: Hashable {
        /// The stream has lost stored messages: its last message has the number `through`, although messages up to
        /// `storedThrough` were stored. Followers may miss the lost messages.
        case lost(through: UInt64, storedThrough: UInt64)
        /// Another publisher has put a message into this device's channel.
        case foreign(StreamMessage)
    }

    /// The maker of a message.
    enum Judgement: Hashable {
        /// This device made it.
        case own
        /// It has this device's signature, but a copy of this store made it.
        case copy
        /// An unknown program made it. It has no effect, and followers skip it.
        case foreign
    }

    private let channel: String
    private(set) var storedThrough: UInt64
    /// The expected last message of the channel; `nil` if it must be read from the stream.
    private var last: ExpectedLast?
    /// The stream's last message, if its number is higher than the stored ones.
    private var ahead: StreamMessage?
    /// The message whose maker the daemon must determine.
    private var doubtful: StreamMessage?
    /// The stream sequence at which the stream claims to have the first waiting message.
    private var knownPlace: UInt64?
    /// The stream sequence of the last message that another publisher made.
    private var foreignPlace: UInt64?
    /// Messages from the daemon that are not stored yet, in order.
    private var waiting: ArraySlice<OutgoingMessage> = []
    private var forkedAt: UInt64?
    private var wasLossReported = false

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

    // MARK: Answers of the stream

    /// Processes the message requested by `readLast`; `nil` if the channel has no messages.
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

    /// Processes the message requested by `readMessage`.
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

    /// Processes the message requested by `readPlace`.
    ///
    /// - Returns: true if it is this device's message.
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
            // Read the last message of the channel. It may be the message that was sent just now, or another
            // publisher's.
            last = nil
        }
    }

    // MARK: Answers of the daemon

    /// Processes the messages that the daemon returned for `take`.
    mutating func received(_ messages: [OutgoingMessage]) {
        guard let first = messages.first(where: { $0.sequence > storedThrough }) else {
            // The daemon has no message after the stored ones. If the header of the stream's last message contains a
            // higher number (`ahead`), the daemon must determine the maker of that message.
            doubtful = ahead
            return
        }
        if first.sequence - 1 > storedThrough {
            // The daemon knows from another agent that more messages are stored.
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

    /// Processes the daemon's judgement of the message that `judge` asked about.
    mutating func judged(_ judgement: Judgement) -> Notice? {
        guard let message = doubtful else { return nil }
        doubtful = nil
        if judgement == .copy {
            forkedAt = message.identity.sequence
            return nil
        }
        if let ahead, ahead.streamSequence != message.streamSequence {
            // A copy of this store may have made the messages after the judged one, so the last message is judged too.
            doubtful = ahead
        } else {
            // Publish all messages that are not known to be stored, directly after the judged message. Messages that
            // already exist in the stream are repeated, and followers ignore them.
            foreignPlace = message.streamSequence
            last = .streamSequence(message.streamSequence)
        }
        ahead = nil
        guard judgement == .own else { return .foreign(message) }
        let sequence = message.identity.sequence
        return sequence < storedThrough ? lossNotice(through: sequence) : nil
    }

    /// Forgets the state of a step that failed.
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

    /// Compares the stream's last message with the daemon's message of the same number, if the daemon's message is
    /// among the waiting ones.
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
        guard !wasLossReported else { return nil }
        wasLossReported = true
        return .lost(through: sequence, storedThrough: storedThrough)
    }
}
