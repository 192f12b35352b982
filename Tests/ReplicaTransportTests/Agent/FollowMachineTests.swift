import StoreBasics
import Testing

@testable import ReplicaTransport
@testable import ghoststore_sync

@Suite struct FollowMachineTests {
    private static func message(_ sequence: UInt64, at place: UInt64) -> StreamMessage {
        StreamMessage(
            streamSequence: place, identity: MessageIdentity(channel: "device.1", sequence: sequence), bytes: [])
    }

    @Test func `following begins where the message that is wanted lies`() {
        var machine = FollowMachine(next: 5)
        #expect(!machine.isLocated)
        #expect(machine.located(Self.message(5, at: 17), last: Self.message(9, at: 30)) == .streamSequence(17))
        #expect(machine.isLocated && machine.firstBehindGap == nil)
        #expect(machine.verdict(on: 5) == .handIn)
        #expect(machine.verdict(on: 4) == .acknowledge)
        #expect(machine.verdict(on: 6) == .locate)
        #expect(machine.handedIn(5, .merged) == .goesOn)
        #expect(machine.verdict(on: 6) == .handIn)
        #expect(machine.handedIn(6, .refused(reason: "forged")) == .goesOn)
        #expect(machine.next == 7)
    }

    @Test func `where nothing is wanted yet it begins behind the last, or at the first`() {
        var machine = FollowMachine(next: 5)
        #expect(machine.located(nil, last: Self.message(4, at: 30)) == .streamSequence(31))
        #expect(machine.located(nil, last: nil) == .first)
        #expect(machine.located(nil, last: Self.message(4, at: .max)) == .first)
    }

    @Test func `what waits pauses the channel, and a message that is missing is looked for`() {
        var machine = FollowMachine(next: 5)
        _ = machine.located(Self.message(5, at: 17), last: Self.message(5, at: 17))
        #expect(machine.handedIn(5, .waits(reason: "epoch", expected: nil)) == .pauses)
        #expect(machine.isLocated && machine.next == 5)
        #expect(machine.handedIn(5, .waits(reason: "missing", expected: 3)) == .pauses)
        #expect(!machine.isLocated && machine.next == 3)
    }

    @Test func `the first message behind a gap is handed in all the same`() {
        var machine = FollowMachine(next: 5)
        #expect(machine.located(Self.message(8, at: 17), last: Self.message(9, at: 18)) == .streamSequence(17))
        #expect(machine.firstBehindGap == 8)
        #expect(machine.verdict(on: 8) == .handIn)
        #expect(machine.verdict(on: 9) == .locate)
        #expect(machine.handedIn(8, .waits(reason: "missing", expected: 5)) == .pauses)
        #expect(!machine.isLocated && machine.next == 5)
        // A snapshot brought the store there.
        machine.wanted(9)
        _ = machine.located(Self.message(9, at: 18), last: Self.message(9, at: 18))
        #expect(machine.firstBehindGap == nil)
        #expect(machine.verdict(on: 9) == .handIn)
        machine.wanted(2)
        #expect(machine.next == 9)
    }

    @Test func `a message without a number is the daemon's to judge`() {
        var machine = FollowMachine(next: 5)
        #expect(machine.verdict(on: 0) == .handIn)
        #expect(machine.handedIn(0, .refused(reason: "malformed")) == .goesOn)
        #expect(machine.next == 5)
        #expect(machine.handedIn(.max, .merged) == .goesOn)
        #expect(FollowMachine(next: 0).next == 1)
    }

    @Test func `waiting doubles up to a bound, with jitter`() {
        var random = SplitMix(seed: 7)
        var backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))
        let waits = (0..<100).map { _ in backoff.next(using: &random) }
        #expect(
            zip(waits, 0...).allSatisfy { wait, index in
                let whole = min(Duration.seconds(5), .milliseconds(100) * (1 << min(index, 20)))
                return wait >= whole * 0.5 && wait <= whole
            })
        #expect(Set(waits.suffix(50)).count > 40)
        backoff.succeeded()
        #expect(backoff.next(using: &random) <= .milliseconds(100))
    }

    @Test(arguments: [
        "device.0123456789abcdef", "ask.0123456789abcdef", "snapshot.0123456789abcdef0123456789abcdef",
        "join.0123456789abcdef0123456789abcdef.request", "join.0123456789abcdef0123456789abcdef.welcome",
    ])
    func `a channel of the protocol is one`(name: String) {
        #expect(ChannelName(name)?.text == name)
        for wrong in [name + ".", name + "0", name.uppercased(), String(name.dropLast()), name + ".>", "x." + name] {
            #expect(ChannelName(wrong) == nil, "\(wrong)")
        }
    }
}
