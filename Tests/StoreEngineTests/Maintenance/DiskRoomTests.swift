import Glibc
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests a store whose disk was full and has space again.
@Suite(.enabled(if: SmallDisk.isMountable, "mounting a tmpfs is not permitted here"))
struct DiskRoomTests {
    private let disk: SmallDisk
    private let engine: StoreEngine

    init() throws {
        disk = try SmallDisk(bytes: 16 << 20)
        engine = try TemporaryStore.engine(disk.path)
        _ = try engine.initialize(
            secret: TemporaryStore.keyFile(), label: "test", withRecoveryCode: false, lowCost: true)
        try engine.write(Self.unchanged())
    }

    private static func unchanged() throws -> Mutation {
        .setSceneValues(.globalOnly, [SceneChange(key: try SceneKey("key"), value: [1])], conditions: [])
    }

    /// Writes until the disk is full.
    ///
    /// - Returns: the number of saved messages, with ids `m0` and so on.
    @discardableResult
    private func fillUp() throws -> Int {
        try disk.fill()
        let text = String(repeating: "x", count: 100_000)
        var saved = 0
        let refused = reason {
            for _ in 0..<500 {
                try engine.write(
                    .saveMessage(
                        NewMessage(
                            id: try EntityID("m\(saved)"), conversation: .session(try SessionID("05disk")), text: text))
                )
                saved += 1
            }
        }
        try #require(refused == .diskFull)
        try #require(engine.state == .readOnly)
        return saved
    }

    private func isOpen(within limit: Duration, meanwhile: () -> Void = {}) -> Bool {
        eventually(within: limit) {
            meanwhile()
            return engine.state == .open
        }
    }

    @Test func `the state is open again after space is freed, without a write`() throws {
        try fillUp()
        disk.release()
        #expect(isOpen(within: .seconds(10)))
        engine.shutDown()
    }

    /// Tests writes that follow each other so fast that the writer is never idle for long.
    @Test func `the state is open again after space is freed, under writes that change nothing`() throws {
        try fillUp()
        disk.release()
        #expect(isOpen(within: .seconds(10)) { _ = try? engine.commit(Self.unchanged()) })
        #expect(try engine.commit(Self.unchanged()).updatedCount == 0)
        engine.shutDown()
    }

    @Test func `acknowledged writes can be read on a full disk, and the reserve does not count as free space`() throws {
        let saved = try fillUp()
        // The pages of the last acknowledged writes have used the reserve.
        let reader = engine.makeReader()
        for number in 0..<saved {
            #expect(try reader.message(EntityID("m\(number)")) != nil)
        }
        let reserve = DiskReserve(engine.directory)
        #expect(!reserve.findsRoomBeside())
        disk.release()
        #expect(reserve.findsRoomBeside())
        #expect(engine.directory.bytes(of: engine.directory.reserve) == EngineLimits.diskReserveBytes)
        engine.shutDown()
    }

    @Test func `a disk without space for the reserve has no space for writes`() throws {
        let reserve = DiskReserve(engine.directory)
        #expect(reserve.release())
        try disk.fill(leaving: UInt64(EngineLimits.diskReserveBytes) / 2)
        #expect(!reserve.findsRoomBeside())
        #expect(!engine.directory.exists(engine.directory.reserve))
        engine.shutDown()
    }
}
