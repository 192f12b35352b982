import Testing

@testable import StoreServer

/// The memory that one connection acquires from the budget and releases, for each way in which frames arrive and end.
@Suite struct ConnectionMemoryTests {
    private static let bytesMax = 1 << 20
    private let peers = MemoryPeers(bytesMax: bytesMax)
    private let memory: ConnectionMemory

    init() {
        memory = ConnectionMemory(peers.budget, account: peers.account(1))
    }

    private var counted: Int { peers.budget.usedBytes }

    @Test func `a large frame is counted once while it arrives, and released when its request is decoded`() {
        for received in [4, 1_000, 100_000, 200_000, 200_000] {
            #expect(memory.expect(frameBytes: 300_000, receivedBytes: received))
        }
        memory.keep(receivedBytes: 300_000)
        #expect(300_000 - ConnectionMemory.uncountedBytes..<400_000 ~= counted)
        memory.keep(receivedBytes: 0)
        #expect(counted == 0)
    }

    @Test func `a frame counts with the bytes that have arrived, not with the length in its header`() {
        #expect(memory.expect(frameBytes: Self.bytesMax, receivedBytes: 4))
        #expect(counted == 0)
        #expect(memory.expect(frameBytes: Self.bytesMax, receivedBytes: 50_000))
        #expect(counted <= 128 << 10)
    }

    @Test func `a closed connection releases its memory, except that of running requests`() {
        #expect(memory.begin(100_000))
        #expect(memory.expect(frameBytes: 300_000, receivedBytes: 200_000))
        memory.setUnread(90_000)
        memory.close()
        #expect(counted == 100_000)
        memory.complete(100_000)
        #expect(counted == 0)
    }

    @Test func `a frame without free memory waits until memory is released`() {
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

    @Test func `a connection with few unread bytes is not cut`() {
        memory.setUnread(ConnectionMemory.uncountedBytes)
        peers.budget.add(Self.bytesMax, uid: 1)
        #expect(peers.takeCut() == [])
        memory.setUnread(Self.bytesMax * 2)
        #expect(peers.takeCut() == [1])
    }

    /// The small request is still running when the large frame has arrived. If the large frame had to wait, the end of
    /// the small request would free too little memory for it.
    @Test func `a small running request does not make a large frame wait`() throws {
        peers.budget.add(Self.bytesMax - 400_000, uid: 2)
        #expect(memory.begin(1_000))
        #expect(memory.expect(frameBytes: 150_000, receivedBytes: 4))
        memory.keep(receivedBytes: 140_000)
        try #require(memory.begin(140_000))
        memory.complete(1_000)
        memory.complete(140_000)
    }

    @Test func `a frame that waits for its own connection's memory continues when the peer has read its responses`() {
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

    @Test func `granted memory stays reserved for the waiting frame, even if another request ends first`() throws {
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

    @Test func `the memory of a frame is reused for its request`() {
        peers.budget.add(Self.bytesMax - 400_000, uid: 2)
        memory.keep(receivedBytes: 300_000)
        #expect(memory.begin(310_000, inPlaceOf: 300_000, of: 300_000))
        memory.complete(310_000)
        memory.keep(receivedBytes: 0)
        #expect(counted == Self.bytesMax - 400_000)
    }

    @Test func `memory expected for one frame is not reserved for the next frame`() {
        #expect(memory.expect(frameBytes: 400_000, receivedBytes: 200_000))
        #expect(memory.begin(401_000, inPlaceOf: 400_000, of: 420_000))
        #expect(memory.expect(frameBytes: 400_000, receivedBytes: 20_000))
        memory.complete(401_000)
        #expect(counted <= 128 << 10)
        // Memory does not stay reserved either if the first frame was rejected before any work began for it.
        #expect(memory.expect(frameBytes: 400_000, receivedBytes: 300_000))
        #expect(memory.expect(frameBytes: 400_000, receivedBytes: 20_000))
        #expect(counted <= 128 << 10)
    }

    @Test func `complete frames that wait are counted`() {
        peers.budget.add(Self.bytesMax, uid: 2)
        let hasRoom = memory.begin(100_000, inPlaceOf: 20_000, of: 32_000)
        #expect(!hasRoom)
        #expect(counted == Self.bytesMax + 32_000 - ConnectionMemory.uncountedBytes)
        // The waiting frame asked for all missing bytes, beyond the bytes that are already counted, so one grant is
        // enough.
        peers.budget.release(Self.bytesMax, uid: 2)
        let granted = peers.takeGrants()
        granted.forEach { memory.granted($0.bytes) }
        #expect(granted.count == 1 && memory.begin(100_000, inPlaceOf: 20_000, of: 32_000))
    }

    @Test func `a connection is not preferred after its frame ends, even if the request was rejected`() {
        peers.budget.add(Self.bytesMax / 2, uid: 1)
        #expect(memory.expect(frameBytes: 300_000, receivedBytes: 200_000))
        #expect(peers.isPreferred(1))
        #expect(memory.begin(1_024, inPlaceOf: 300_000, of: 300_000))
        memory.complete(1_024)
        memory.keep(receivedBytes: 0)
        #expect(!peers.isPreferred(1))
    }
}
