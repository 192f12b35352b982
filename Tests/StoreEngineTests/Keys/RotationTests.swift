import FoundationEssentials
import Glibc
import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct RotationTests {
    @Test func `a rotated store still has its reserve for deletes`() throws {
        let store = try TemporaryStore()
        _ = try store.engine.rotateMasterKey { _ in }
        #expect(try store.engine.writer.perform { context in context.reserve != nil })
        #expect(try store.engine.writer.perform { context in context.needsHousekeeping })
    }

    /// Tests a rotation that cannot write the new keyring, because a folder is at the path of its new file.
    /// AdministrationFaultTests checks the start after such a failure.
    @Test func `a rotation that fails after the switch of keys ends the process`() async {
        await #expect(processExitsWith: .exitCode(74)) {
            let folder = "/tmp/ghoststore-rotation-\(getpid())"
            mkdir(folder, 0o700)
            let engine = try TemporaryStore.engine(folder) { _ in
                try? FileManager.default.removeItem(atPath: folder)
                _exit(74)
            }
            _ = try engine.initialize(
                secret: TemporaryStore.keyFile(), label: "test", withRecoveryCode: false, lowCost: true)
            _ = try engine.rotateMasterKey { _ in _ = mkdir(folder + "/state/keyring.new", 0o700) }
        }
    }
}

/// Tests rotations on a full disk. A rotation needs as much free space as the size of the store.
@Suite(.enabled(if: SmallDisk.isMountable, "mounting a tmpfs is not permitted here"))
struct RotationOnFullDiskTests {
    private let disk: SmallDisk
    private let engine: StoreEngine

    init() throws {
        disk = try SmallDisk(bytes: 48 << 20)
        engine = try TemporaryStore.engine(disk.path)
        _ = try engine.initialize(
            secret: TemporaryStore.keyFile(), label: "test", withRecoveryCode: false, lowCost: true)
    }

    private func save(_ count: Int) throws {
        let text = String(repeating: "x", count: 20_000)
        for _ in 0..<count {
            try engine.write(
                .saveMessage(NewMessage(conversation: .session(try SessionID("05disk")), text: text)))
        }
    }

    private var keyring: Keyring? {
        try? KeyringFile.read(inDirectory: disk.path + "/state")
    }

    /// Checks that the store is unchanged in memory and on disk, and that a rotation succeeds after space is freed.
    private func expectOldKey(messages: Int) throws {
        #expect(engine.state.isOpen)
        #expect(!engine.directory.exists(engine.directory.nextDatabase))
        disk.release()
        #expect(try engine.statistics().messageCount == messages)
        #expect(try expectClean(engine) == [])
        try save(1)
        #expect(try engine.rotateMasterKey { _ in } == 1)
        #expect(keyring?.hasPendingRotation == false)
        try engine.lock()
        _ = try engine.unlock(secret: try TemporaryStore.keyFile())
        #expect(try engine.statistics().messageCount == messages + 1)
        engine.shutDown()
    }

    @Test func `a rotation without space for a copy does not begin`() throws {
        try save(10)
        try disk.fill(leaving: BackupLimits.reserveBytes)
        let before = keyring?.serialized()
        let thrown = #expect(throws: StoreError.self) {
            try engine.rotateMasterKey { _ in Issue.record("the copy was begun") }
        }
        #expect(thrown?.reason == .diskFull)
        #expect(keyring?.serialized() == before)
        try expectOldKey(messages: 10)
    }

    /// Tests a rotation whose copy of the database takes more than one step. The first step fills the disk, so the
    /// second one fails.
    @Test func `a disk that becomes full during the copy gets its space back, and the store keeps its old key`()
        throws
    {
        try save(200)
        let thrown = #expect(throws: StoreError.self) { try engine.rotateMasterKey { _ in try? disk.fill() } }
        #expect(thrown?.reason == .diskFull)
        try expectOldKey(messages: 200)
    }

    /// Tests a rotation whose copy of the database takes a single step. The disk is full before the writer thread
    /// finishes this copy.
    @Test func `a disk that is full when the copy is finished leaves the store open under its old key`() throws {
        try save(10)
        try doOwnWork()
        let thrown = #expect(throws: StoreError.self) { try engine.rotateMasterKey { _ in try? disk.fill() } }
        #expect(thrown?.reason == .diskFull)
        try expectOldKey(messages: 10)
    }

    /// Lets the writer do its background maintenance now. Later it would find the full disk and release the reserve,
    /// which would be enough space for the copy.
    private func doOwnWork() throws {
        try engine.writer.perform { context throws(StoreError) in
            try context.commitPages()
            while try SearchUpkeep.step(context) != .none {}
            try context.commitPages()
        }
    }
}
