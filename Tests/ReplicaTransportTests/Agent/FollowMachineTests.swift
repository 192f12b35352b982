import StoreClient
import Testing

@testable import ReplicaTransport
@testable import ghoststore_sync

@Suite struct FollowMachineTests {
    private static func message(_ sequence: UInt64, at place: UInt64) -> StreamMessage {
        StreamMessage(
            streamSequence: place, identity: MessageIdentity(channel: "device.1", sequence: sequence), bytes: [])
    }

    /// The first message of the channel, at stream sequence 10.
    private static let first = message(1, at: 10)

    private func located(
        _ machine: inout FollowMachine, _ found: StreamMessage?, first: StreamMessage? = first, last: StreamMessage?
    ) -> FollowerStart {
        machine.located(found, first: first, last: last)
    }

    @Test func `following begins at the wanted message`() {
        var machine = FollowMachine(next: 5)
        #expect(!machine.isLocated)
        #expect(located(&machine, Self.message(5, at: 17), last: Self.message(9, at: 30)) == .streamSequence(17))
        #expect(machine.isLocated && machine.firstBehindGap == nil)
        #expect(machine.verdict(on: 5) == .handIn)
        #expect(machine.verdict(on: 4) == .acknowledge)
        #expect(machine.verdict(on: 6) == .handIn)
        #expect(machine.handedIn(5, .merged(next: 6)) == .goesOn)
        #expect(machine.next == 6)
    }

    @Test func `a lower wanted number restarts reading there, and a repeated answer changes nothing`() {
        var machine = FollowMachine(next: 5)
        machine.wanted(5)
        _ = located(&machine, Self.message(5, at: 17), last: Self.message(9, at: 30))
        #expect(machine.handedIn(5, .merged(next: 6)) == .goesOn)
        machine.wanted(5)
        #expect(machine.next == 6 && machine.isLocated)
        machine.wanted(1 << 40)
        #expect(machine.next == 1 << 40 && machine.verdict(on: 6) == .acknowledge)
        machine.wanted(7)
        #expect(machine.next == 7 && !machine.isLocated)
        _ = located(&machine, Self.message(7, at: 19), last: Self.message(9, at: 30))
        #expect(machine.verdict(on: 7) == .handIn)
    }

    @Test func `a refused message does not advance the position, and a later one with its number is accepted`() {
        var machine = FollowMachine(next: 6)
        _ = located(&machine, Self.message(6, at: 17), last: Self.message(9, at: 30))
        #expect(machine.handedIn(6, .refused(.forged)) == .goesOn)
        #expect(machine.handedIn(1 << 40, .refused(.forged)) == .goesOn)
        #expect(machine.next == 6 && machine.verdict(on: 6) == .handIn)
        // An old message with a new number does not advance the position either.
        #expect(machine.handedIn(6, .merged(next: 6)) == .goesOn)
        #expect(machine.next == 6)
        #expect(machine.handedIn(6, .merged(next: 7)) == .goesOn)
        #expect(machine.next == 7 && machine.isLocated)
    }

    @Test func `if the wanted message is missing, following begins after the last message or at the first`() {
        var machine = FollowMachine(next: 5)
        #expect(located(&machine, nil, last: Self.message(4, at: 30)) == .streamSequence(31))
        #expect(located(&machine, nil, last: nil) == .first)
        #expect(located(&machine, nil, last: Self.message(4, at: .max)) == .first)
        // A last message with the number 1 does not prove that the wanted message is still to come. The wanted one may
        // be before it, so the machine starts at the first message.
        #expect(!machine.isThorough)
        #expect(located(&machine, nil, last: Self.message(1, at: 30)) == .first)
        #expect(machine.isThorough)
    }

    @Test func `a waiting message pauses the channel, and a missing message is searched for`() {
        var machine = FollowMachine(next: 5)
        _ = located(&machine, Self.message(5, at: 17), last: Self.message(5, at: 17))
        #expect(machine.handedIn(5, .waits(.epochUnknown, expected: nil)) == .pauses)
        #expect(machine.isLocated && machine.next == 5)
        #expect(machine.handedIn(5, .waits(.earlierMessageMissing, expected: 3)) == .pauses)
        #expect(!machine.isLocated && machine.next == 3)
    }

    @Test func `if the search finds only a foreign message, the whole channel is read`() {
        var machine = FollowMachine(next: 5)
        let foreign = Self.message(5, at: 17)
        for start in [FollowerStart.streamSequence(17), .streamSequence(17), .first] {
            #expect(located(&machine, foreign, last: Self.message(9, at: 30)) == start)
            #expect(machine.handedIn(5, .refused(.forged)) == .goesOn)
            #expect(machine.isOldestKept(6) == (start == .first))
            guard start != .first else { break }
            #expect(machine.handedIn(6, .waits(.earlierMessageMissing, expected: 5)) == .pauses)
            #expect(!machine.isLocated && !machine.isGapped)
        }
        #expect(machine.handedIn(5, .merged(next: 6)) == .goesOn)
        #expect(!machine.isThorough && !machine.isOldestKept(7))
    }

    @Test func `the first message after a gap is handed in`() {
        var machine = FollowMachine(next: 5)
        let eighth = Self.message(8, at: 17)
        #expect(located(&machine, eighth, first: eighth, last: Self.message(9, at: 18)) == .streamSequence(17))
        #expect(machine.firstBehindGap == 8)
        #expect(machine.isOldestKept(8) && !machine.isOldestKept(9))
        #expect(machine.handedIn(8, .waits(.earlierMessageMissing, expected: 5)) == .pauses)
        #expect(!machine.isLocated && machine.isGapped && machine.next == 5)
        // A snapshot advanced the store to this number.
        machine.wanted(9)
        _ = located(&machine, Self.message(9, at: 18), last: Self.message(9, at: 18))
        #expect(machine.firstBehindGap == nil && !machine.isGapped && machine.next == 9)
    }

    @Test func `missing messages in the middle are a gap once everything before them was read`() {
        var machine = FollowMachine(next: 5)
        #expect(located(&machine, Self.message(8, at: 17), last: Self.message(9, at: 18)) == .first)
        #expect(machine.isThorough && machine.firstBehindGap == nil)
        #expect(machine.verdict(on: 4) == .acknowledge)
        #expect(machine.isOldestKept(8) && !machine.isOldestKept(5))
        #expect(machine.handedIn(8, .waits(.snapshotAwaited, expected: nil)) == .pauses)
        #expect(machine.isGapped && machine.isLocated)
    }

    @Test func `a message of a later version stops no other message and is not a gap`() {
        var machine = FollowMachine(next: 5)
        _ = located(&machine, Self.message(5, at: 17), last: Self.message(5, at: 17))
        let later = HandInOutcome.waits(.laterVersion, expected: nil)
        #expect(machine.handedIn(5, later) == .later)
        #expect(machine.handedIn(5, .merged(next: 6)) == .goesOn)
        #expect(machine.handedIn(6, later) == .later)
        for _ in 0..<3 {
            #expect(machine.handedIn(7, .waits(.earlierMessageMissing, expected: 6)) == .pauses)
            #expect(machine.isLocated && !machine.isGapped)
        }
    }

    @Test func `a limited number of messages of a later version is held, and the others are found again`() {
        var machine = FollowMachine(next: 5)
        _ = located(&machine, Self.message(5, at: 17), last: Self.message(5, at: 17))
        let later = HandInOutcome.waits(.laterVersion, expected: nil)
        let advances = (0..<2_000).map { machine.handedIn(6 + $0 % 7, later) }
        #expect(advances.prefix(64).allSatisfy { $0 == .later } && advances.dropFirst(64).allSatisfy { $0 == .goesOn })
        #expect(machine.hasLeftLaterVersion && machine.next == 5)
        #expect(machine.handedIn(5, .merged(next: 6)) == .goesOn)
        _ = located(&machine, Self.message(6, at: 18), last: Self.message(6, at: 18))
        #expect(!machine.hasLeftLaterVersion)
        #expect(machine.handedIn(6, later) == .later)
    }

    @Test func `a message without a number is handed in, so that the daemon judges it`() {
        var machine = FollowMachine(next: 5)
        #expect(machine.verdict(on: 0) == .handIn)
        #expect(machine.handedIn(0, .refused(.malformed)) == .goesOn)
        #expect(machine.next == 5)
        #expect(machine.handedIn(.max, .merged(next: 6)) == .goesOn)
        #expect(FollowMachine(next: 0).next == 1)
    }
}
