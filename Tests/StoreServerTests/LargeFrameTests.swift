import StoreBasics
import StoreEngine
import StoreProtocol
import TestBasics
import Testing

@testable import StoreServer

/// Large frames of many users at once, whose bytes arrive in any order. Frames that wait must never block each other
/// forever.
@Suite struct LargeFrameTests {
    /// One connection with one frame.
    private final class Sender {
        private enum State: Equatable {
            case receiving
            case working(turnsLeft: Int)
            case answered
        }

        let memory: ConnectionMemory
        private let frameBytes: Int
        private let decodedBytes: Int
        private var arrivedBytes = 0
        private var mayRead = true
        private var state = State.receiving

        init(_ memory: ConnectionMemory, frameBytes: Int) {
            self.memory = memory
            self.frameBytes = frameBytes
            decodedBytes = frameBytes + LargeFrameTests.decodingBytes
        }

        var isAnswered: Bool { state == .answered }

        /// Makes the event loop's next step for this connection. Returns false if there is nothing to do.
        func go(_ random: inout SplitMix) -> Bool {
            guard !memory.isWaiting else { return false }
            switch state {
            case .receiving where arrivedBytes < frameBytes:
                if mayRead {
                    arrivedBytes = min(arrivedBytes + .random(in: 1...32_768, using: &random), frameBytes)
                }
                mayRead =
                    arrivedBytes == frameBytes || memory.expect(frameBytes: frameBytes, receivedBytes: arrivedBytes)
            case .receiving:
                if memory.begin(decodedBytes, inPlaceOf: frameBytes, of: frameBytes) {
                    memory.keep(receivedBytes: 0)
                    state = .working(turnsLeft: .random(in: 0..<30, using: &random))
                }
            case .working(0):
                memory.complete(decodedBytes)
                state = .answered
            case .working(let turnsLeft):
                state = .working(turnsLeft: turnsLeft - 1)
            case .answered:
                return false
            }
            return true
        }
    }

    private static let decodingBytes = 100_000
    private static let frameBytes = 4 << 20
    private static let requestBytesMax = frameBytes + decodingBytes

    private static let crowds = TestTier.cases(
        [(1, 1), (1, 9), (2, 2), (6, 1), (7, 3)],
        long: [(1, 1), (1, 9), (2, 2), (5, 1), (6, 1), (7, 3), (12, 1), (40, 2)])

    /// Tests a budget that has space for six frames of the largest size, as the default budget has.
    @Test(arguments: crowds, TestSeeds.range(1, long: 3))
    func `all frames are completed`(senders: (users: Int, connections: Int), seed: UInt64) {
        var random = SplitMix(seed: seed)
        let peers = MemoryPeers(
            bytesMax: 6 * Self.frameBytes, requestBytesMax: Self.requestBytesMax, reservedBytes: Self.requestBytesMax,
            decodingBytesMax: Self.decodingBytes)
        var waiting: [ConnectionID: Sender] = [:]
        for id in 1...ConnectionID(senders.users * senders.connections) {
            let account = peers.account(id, uid: UInt32(Int(id) % senders.users))
            waiting[id] = Sender(ConnectionMemory(peers.budget, account: account), frameBytes: Self.frameBytes)
        }
        var goesOn = true
        while goesOn {
            goesOn = false
            for id in waiting.keys.sorted().shuffled(using: &random) {
                goesOn = waiting[id]?.go(&random) ?? false || goesOn
                for grant in peers.takeGrants() {
                    waiting[grant.id]?.memory.granted(grant.bytes)
                    goesOn = true
                }
            }
        }
        let left = waiting.values.filter { !$0.isAnswered }.count
        #expect(left == 0, "\(left) of \(waiting.count) hold each other up")
        #expect(peers.budget.usedBytes == 0)
    }

    @Test(arguments: CallKind.allCases) func `decoding a request takes little memory beside its frame`(kind: CallKind) {
        let rule = kind.rule
        let most = rule.decodedBytes(payloadBytes: 0, fieldCount: rule.fieldsMax)
        #expect(most <= CallLimits.decodingBytesMax)
    }

    /// While a message is converted from its wire form to the engine's form, both forms exist and share their texts.
    /// The budget must count at least that memory.
    @Test func `the budget counts both forms of a message that is saved`() {
        let textBytes = 32 + 16
        let taken = MemoryLayout<WireNewMessage>.stride + MemoryLayout<NewMessage>.stride + 8 * textBytes
        #expect(taken <= CallLimits.messageFieldBytes, "\(taken)")
    }

    /// A frame that stalls has acquired the reserved memory. Another frame beyond its user's share gets memory only
    /// after the stalled connection has closed.
    @Test func `a stalled frame keeps reserved memory only until its connection closes`() {
        let peers = MemoryPeers(bytesMax: 96, requestBytesMax: 17, reservedBytes: 17, decodingBytesMax: 1)
        peers.budget.add(75, uid: 9)
        #expect(peers.budget.acquire(10, for: peers.account(1, uid: 1), isAlone: true, isReceived: false))
        // Another frame beyond its user's share must leave the reserved memory free.
        let isSecondTaken = peers.budget.acquire(10, for: peers.account(2, uid: 2), isAlone: true, isReceived: false)
        #expect(!isSecondTaken)
        peers.budget.forget(peers.account(1), holding: 10, keeping: 0)
        #expect(peers.takeGranted() == [2])
    }

    /// No user's share includes the reserved memory, but unread responses can use it up.
    @Test func `unread responses beyond their user's share cost it the oldest connection`() {
        let peers = MemoryPeers(bytesMax: 96, requestBytesMax: 17, reservedBytes: 17, decodingBytesMax: 1)
        for id in 1...3 as ClosedRange<ConnectionID> {
            peers.leaveUntaken(14, id)
        }
        #expect(peers.takeCut() == [])
        let isTaken = peers.budget.acquire(1, for: peers.account(4), isAlone: false, isReceived: false)
        #expect(!isTaken)
        #expect(peers.takeCut() == [1])
    }

    @Test func `an incomplete frame that must wait does not block a complete one behind it`() {
        let peers = MemoryPeers(bytesMax: 96, requestBytesMax: 17, reservedBytes: 17, decodingBytesMax: 1)
        peers.budget.add(75, uid: 9)
        #expect(peers.budget.acquire(10, for: peers.account(1, uid: 1), isAlone: true, isReceived: false))
        // The first frame has not arrived completely, so it must leave the reserved memory free. The second frame has
        // arrived completely, so it may use all memory.
        let isFrameTaken = peers.budget.acquire(10, for: peers.account(2, uid: 2), isAlone: true, isReceived: false)
        let isRequestTaken = peers.budget.acquire(12, for: peers.account(3, uid: 2), isAlone: true, isReceived: true)
        #expect(!isFrameTaken && !isRequestTaken)
        peers.budget.forget(peers.account(9, uid: 9), holding: 5, keeping: 0)
        #expect(peers.takeGranted() == [3])
    }
}
