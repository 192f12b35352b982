import Testing

@testable import ReplicaTransport
@testable import ghoststore_sync

@Suite struct PublishMachineTests {
    private static let channel = "device.0000000000000001"

    private static func message(_ sequence: UInt64, _ byte: UInt8? = nil) -> OutgoingMessage {
        OutgoingMessage(sequence: sequence, bytes: [byte ?? UInt8(truncatingIfNeeded: sequence)])
    }

    private static func stored(
        _ sequence: UInt64, at place: UInt64, _ byte: UInt8? = nil, channel: String = channel
    ) -> StreamMessage {
        StreamMessage(
            streamSequence: place,
            identity: MessageIdentity(channel: channel, sequence: sequence, bytes: message(sequence, byte).bytes),
            bytes: message(sequence, byte).bytes)
    }

    @Test func `a new channel begins without a previous message, and continues after each stored one`() {
        var machine = PublishMachine(channel: Self.channel, storedThrough: 0)
        #expect(machine.step == .readLast)
        #expect(machine.read(last: nil) == nil)
        #expect(machine.step == .take(storedThrough: 0, waits: true))
        machine.received([Self.message(1), Self.message(2)])
        #expect(machine.step == .publish(Self.message(1), behind: .none))
        machine.published(.stored(streamSequence: 10))
        #expect(machine.step == .publish(Self.message(2), behind: .streamSequence(10)))
        machine.published(.stored(streamSequence: 13))
        #expect(machine.step == .take(storedThrough: 2, waits: true))
    }

    @Test func `messages stored before a kill are recognised by their bytes and reported as stored`() {
        var machine = PublishMachine(channel: Self.channel, storedThrough: 3)
        #expect(machine.read(last: Self.stored(5, at: 50)) == nil)
        #expect(machine.step == .take(storedThrough: 3, waits: false))
        machine.received([Self.message(4), Self.message(5), Self.message(6)])
        #expect(machine.step == .publish(Self.message(6), behind: .streamSequence(50)))
        #expect(machine.storedThrough == 5)
    }

    @Test func `a channel that is ahead by more than one response of the daemon is compared in steps`() {
        var machine = PublishMachine(channel: Self.channel, storedThrough: 0)
        _ = machine.read(last: Self.stored(5, at: 50))
        machine.received([Self.message(1), Self.message(2)])
        #expect(machine.step == .readMessage(2))
        machine.read(Self.stored(2, at: 20), at: 2)
        #expect(machine.step == .take(storedThrough: 2, waits: false))
        machine.received([Self.message(3), Self.message(4), Self.message(5)])
        #expect(machine.step == .take(storedThrough: 5, waits: true))
    }

    @Test func `a foreign message under this device's name is judged, and a copied store's message is a fork`() {
        let foreign = Self.stored(4, at: 50, 99)
        var machine = PublishMachine(channel: Self.channel, storedThrough: 3)
        _ = machine.read(last: foreign)
        machine.received([Self.message(4)])
        #expect(machine.step == .judge(foreign))
        var copied = machine
        #expect(copied.judged(.copy) == nil)
        #expect(copied.step == .forked(sequence: 4))
        copied.failed()
        #expect(copied.step == .forked(sequence: 4))
        #expect(machine.judged(.foreign) == .foreign(foreign))
        #expect(machine.step == .publish(Self.message(4), behind: .streamSequence(50)))
        // A message is not judged again when it is read once more as the last one.
        machine.published(.wrongLastSequence)
        _ = machine.read(last: foreign)
        #expect(machine.step == .publish(Self.message(4), behind: .streamSequence(50)))
        let next = Self.stored(5, at: 51, 98)
        machine.published(.wrongLastSequence)
        _ = machine.read(last: next)
        machine.received([Self.message(4)])
        #expect(machine.step == .readMessage(4))
        machine.read(next, at: 4)
        #expect(machine.step == .judge(next))
    }

    @Test func `a message that the daemon never made, or with another device's name, is judged too`() {
        var never = PublishMachine(channel: Self.channel, storedThrough: 3)
        _ = never.read(last: Self.stored(9, at: 50))
        never.received([])
        #expect(never.step == .judge(Self.stored(9, at: 50)))
        _ = never.judged(.foreign)
        #expect(never.step == .take(storedThrough: 3, waits: true))

        let other = Self.stored(3, at: 50, channel: "device.0000000000000002")
        var unnamed = PublishMachine(channel: Self.channel, storedThrough: 3)
        _ = unnamed.read(last: other)
        #expect(unnamed.step == .judge(other))
        #expect(unnamed.judged(.own) == nil)
        #expect(unnamed.step == .take(storedThrough: 3, waits: true))
    }

    @Test func `if a message before the last one is foreign, the last one is judged too`() {
        var machine = PublishMachine(channel: Self.channel, storedThrough: 0)
        let (inside, last) = (Self.stored(1, at: 1, 77), Self.stored(9, at: 50))
        _ = machine.read(last: last)
        machine.received([Self.message(1)])
        machine.read(inside, at: 1)
        #expect(machine.step == .judge(inside))
        #expect(machine.judged(.foreign) == .foreign(inside))
        #expect(machine.step == .judge(last))
        var copied = machine
        _ = copied.judged(.copy)
        #expect(copied.step == .forked(sequence: 9))
        #expect(machine.judged(.own) == nil)
        #expect(machine.step == .publish(Self.message(1), behind: .streamSequence(50)))
        // The server recognizes a duplicate only by its name, so the machine reads the message at the returned
        // sequence.
        machine.published(.duplicate(streamSequence: 2))
        #expect(machine.step == .readPlace(2))
        var elsewhere = machine
        let isOwn = machine.readPlace(Self.stored(1, at: 2))
        #expect(isOwn)
        #expect(machine.storedThrough == 1)
        let isOwnElsewhere = elsewhere.readPlace(nil)
        #expect(!isOwnElsewhere)
        #expect(elsewhere.step == .readLast)
        _ = elsewhere.read(last: last)
        #expect(elsewhere.step == .publish(Self.message(1), behind: .streamSequence(50)))
    }

    @Test(arguments: [
        PublishOutcome.wrongLastSequence, .noQuorumYet,
    ])
    func `a message that may not have been stored is looked up`(outcome: PublishOutcome) {
        var machine = PublishMachine(channel: Self.channel, storedThrough: 0)
        _ = machine.read(last: nil)
        machine.received([Self.message(1), Self.message(2)])
        machine.published(outcome)
        #expect(machine.step == .readLast)
        var again = machine
        _ = machine.read(last: Self.stored(1, at: 4))
        #expect(machine.step == .publish(Self.message(2), behind: .streamSequence(4)))
        _ = again.read(last: nil)
        #expect(again.step == .publish(Self.message(1), behind: .none))
    }

    @Test func `a channel that lost messages is reported once, and publishing continues after its last message`() {
        var machine = PublishMachine(channel: Self.channel, storedThrough: 7)
        let last = Self.stored(4, at: 40)
        #expect(machine.read(last: last) == nil)
        #expect(machine.step == .judge(last))
        var foreign = machine
        #expect(foreign.judged(.foreign) == .foreign(last))
        #expect(machine.judged(.own) == .lost(through: 4, storedThrough: 7))
        machine.received([Self.message(8)])
        #expect(machine.step == .publish(Self.message(8), behind: .streamSequence(40)))
        machine.failed()
        #expect(machine.read(last: last) == nil)
        #expect(machine.step == .publish(Self.message(8), behind: .streamSequence(40)))
        var empty = PublishMachine(channel: Self.channel, storedThrough: 7)
        #expect(empty.read(last: nil) == .lost(through: 0, storedThrough: 7))
        empty.received([Self.message(8)])
        #expect(empty.step == .publish(Self.message(8), behind: .none))
    }

    @Test func `gaps and repetitions in the daemon's messages are not published`() {
        var machine = PublishMachine(channel: Self.channel, storedThrough: 2)
        _ = machine.read(last: Self.stored(2, at: 20))
        machine.received([Self.message(2), Self.message(3), Self.message(5)])
        machine.published(.stored(streamSequence: 30))
        #expect(machine.step == .take(storedThrough: 3, waits: true))
        // Another agent of the same daemon has published first.
        machine.received([Self.message(6)])
        #expect(machine.step == .readLast)
        _ = machine.read(last: Self.stored(5, at: 44))
        #expect(machine.step == .publish(Self.message(6), behind: .streamSequence(44)))
    }

    @Test func `the largest numbers cause no trap`() {
        var machine = PublishMachine(channel: Self.channel, storedThrough: .max)
        _ = machine.read(last: Self.stored(.max, at: .max))
        machine.received([Self.message(.max), Self.message(0)])
        #expect(machine.step == .take(storedThrough: .max, waits: true))
        machine.published(.stored(streamSequence: .max))
        machine.read(nil, at: .max)
        #expect(machine.step == .readLast)
    }
}
