import Testing

@testable import StoreServer

/// The memory that one connection takes from the budget and returns to it, in every course of its frames.
@Suite struct ConnectionMemoryTests {
    private static let bytesMax = 1 << 20
    private let peers = MemoryPeers(bytesMax: bytesMax)
    private let memory: ConnectionMemory

    init() {
        memory = ConnectionMemory(peers.budget, account: peers.account(1))
    }

    private var counted: Int { peers.budget.usedBytes }

    @Test func `a large frame on its way is counted once and given back when it is taken`() {
        for received in [4, 1_000, 100_000, 200_000, 200_000] {
            #expect(memory.expect(frameBytes: 300_000, receivedBytes: received))
        }
        memory.keep(receivedBytes: 300_000)
        #expect(300_000 - ConnectionMemory.uncountedBytes..<400_000 ~= counted)
        memory.keep(receivedBytes: 0)
        #expect(counted == 0)
    }

    @Test func `a frame counts as what has arrived of it, and not as what its header says`() {
        #expect(memory.expect(frameBytes: Self.bytesMax, receivedBytes: 4))
        #expect(counted == 0)
        #expect(memory.expect(frameBytes: Self.bytesMax, receivedBytes: 50_000))
        #expect(counted <= 128 << 10)
    }

    @Test func `a connection that is gone gives its memory back, but for what is at work for it`() {
        #expect(memory.begin(100_000))
        #expect(memory.expect(frameBytes: 300_000, receivedBytes: 200_000))
        memory.setUnread(90_000)
        memory.close()
        #expect(counted == 100_000)
        memory.complete(100_000)
        #expect(counted == 0)
    }

    @Test func `a frame that finds no room waits until it has some`() {
        peers.budget.add(Self.bytesMax, uid: 2)
        #expect(memory.expect(frameBytes: 100_000, receivedBytes: 4))
        let hasRoom = memory.begin(100_000)
        #expect(!hasRoom && memory.isWaiting)
        peers.budget.release(Self.bytesMax, uid: 2)
        #expect(peers.takeGranted() == [1])
        memory.granted(counted)
        #expect(memory.begin(100_000) && !memory.isWaiting)
        memory.complete(100_000)
        memory.close()
        #expect(counted == 0)
    }

    @Test func `what is untaken and not counted is no reason to cut`() {
        memory.setUnread(ConnectionMemory.uncountedBytes)
        peers.budget.add(Self.bytesMax, uid: 1)
        #expect(peers.takeCut() == [])
        memory.setUnread(Self.bytesMax * 2)
        #expect(peers.takeCut() == [1])
    }

    /// The small request is still running when the large frame has arrived, and its end frees no memory.
    @Test func `a small request at work keeps no large one waiting`() throws {
        peers.budget.add(Self.bytesMax - 400_000, uid: 2)
        #expect(memory.begin(1_000))
        #expect(memory.expect(frameBytes: 150_000, receivedBytes: 4))
        memory.keep(receivedBytes: 140_000)
        try #require(memory.begin(140_000))
        memory.complete(1_000)
        memory.complete(140_000)
    }

    @Test func `who waits behind its own work goes on when that is answered and taken`() {
        peers.budget.add(Self.bytesMax - 500_000, uid: 2)
        memory.setUnread(20_000)
        #expect(memory.begin(60_000))
        memory.keep(receivedBytes: 140_000)
        let hasRoom = memory.begin(140_000)
        #expect(!hasRoom)
        memory.complete(60_000)
        #expect(peers.takeGranted() == [])
        memory.setUnread(0)
        #expect(peers.takeGranted() == [1])
    }

    @Test func `what was granted stays for what waited, whatever ends before that goes on`() throws {
        peers.budget.add(Self.bytesMax - 300_000, uid: 2)
        #expect(memory.begin(100_000))
        let hasRoom = memory.begin(200_000)
        #expect(!hasRoom)
        peers.budget.release(Self.bytesMax - 300_000, uid: 2)
        #expect(peers.takeGranted() == [1])
        memory.granted(192 << 10)
        memory.complete(100_000)
        peers.budget.add(Self.bytesMax - 190_000, uid: 2)
        try #require(memory.begin(200_000))
        memory.complete(200_000)
        memory.close()
        #expect(counted == Self.bytesMax - 190_000)
    }

    @Test func `a request takes the place of its frame`() {
        peers.budget.add(Self.bytesMax - 400_000, uid: 2)
        memory.keep(receivedBytes: 300_000)
        #expect(memory.begin(310_000, inPlaceOf: 300_000, of: 300_000))
        memory.complete(310_000)
        memory.keep(receivedBytes: 0)
        #expect(counted == Self.bytesMax - 400_000)
    }

    @Test func `what was expected of one frame is not held for the next one`() {
        #expect(memory.expect(frameBytes: 400_000, receivedBytes: 200_000))
        #expect(memory.begin(401_000, inPlaceOf: 400_000, of: 420_000))
        #expect(memory.expect(frameBytes: 400_000, receivedBytes: 20_000))
        memory.complete(401_000)
        #expect(counted <= 128 << 10)
        // No memory stays reserved either if the first frame was rejected before any work began for it.
        #expect(memory.expect(frameBytes: 400_000, receivedBytes: 300_000))
        #expect(memory.expect(frameBytes: 400_000, receivedBytes: 20_000))
        #expect(counted <= 128 << 10)
    }

    @Test func `whole frames that wait are counted`() {
        peers.budget.add(Self.bytesMax, uid: 2)
        let hasRoom = memory.begin(100_000, inPlaceOf: 20_000, of: 32_000)
        #expect(!hasRoom)
        #expect(counted == Self.bytesMax + 32_000 - ConnectionMemory.uncountedBytes)
        // The connection asked for the missing bytes in addition, so it continues with the first grant.
        peers.budget.release(Self.bytesMax, uid: 2)
        let granted = peers.takeGrants()
        granted.forEach { memory.granted($0.bytes) }
        #expect(granted.count == 1 && memory.begin(100_000, inPlaceOf: 20_000, of: 32_000))
    }

    @Test func `a preference ends with its frame also where that was refused`() {
        peers.budget.add(Self.bytesMax / 2, uid: 1)
        #expect(memory.expect(frameBytes: 300_000, receivedBytes: 200_000))
        #expect(peers.isPreferred(1))
        #expect(memory.begin(1_024, inPlaceOf: 300_000, of: 300_000))
        memory.complete(1_024)
        memory.keep(receivedBytes: 0)
        #expect(!peers.isPreferred(1))
    }
}
