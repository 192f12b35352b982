import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// A disk that really becomes full in the middle of large operations: the state directory is on a small file system of
/// its own, with space for only a part of each operation.
@Suite(.oneAtATime, .enabled(if: SmallDisk.isMountable, "mounting a tmpfs is not permitted here"))
struct FullDiskContentTests {
    private static let writer = "05full"
    private static let diskBytes = 48 << 20
    /// Returns amounts of free space that are less than any operation needs. In a short test run, each operation is
    /// tested with one of them.
    private static func leftBytes(_ operation: Operation) -> [UInt64] {
        let place = Operation.allCases.firstIndex(of: operation) ?? 0
        return TestTier.cases([place % 2 == 0 ? 0 : 900_000], long: [0, 900_000])
    }

    enum Operation: String, CaseIterable {
        case putInPieces, putOver, append, overwrite, copyThenAppend, saveWithAttachments, saveByDigest
        case backup, restoreArchive

        fileprivate func step(_ random: inout SplitMix) -> ContentStep? {
            let bytes = ContentBytes(2_000_000, &random)
            let message = ContentState.SavedMessage(text: "text", attachments: [bytes])
            switch self {
            case .putInPieces: return .putPieces("new", bytes, pieceBytes: 100_000)
            case .putOver: return .put("large", bytes)
            case .append: return .append("large", bytes)
            case .overwrite: return .overwrite("large", offset: 100_000, bytes)
            case .copyThenAppend: return .append("copied", bytes)
            case .saveWithAttachments: return .save(["new": message])
            case .saveByDigest: return .saveByDigest("new", message)
            case .backup, .restoreArchive: return nil
            }
        }
    }

    private struct Disk {
        let daemon: TestDaemon
        let client: StoreClient
        let disk: SmallDisk
        let archive: [UInt8]
        var state: ContentState
        var random = SplitMix(seed: 5)

        var verification: ContentVerification { ContentVerification(client: client, daemon: daemon) }
    }

    @Test(arguments: Operation.allCases)
    func `an operation that fills the disk is refused, leaves nothing, and succeeds once there is space`(
        _ operation: Operation
    ) async throws {
        var disk = try await prepared()
        for leftBytes in Self.leftBytes(operation) {
            try await refuse(operation, leftBytes, &disk)
        }
        try await run(operation, &disk)
        try await expect(disk, "\(operation), done")
        await disk.client.close()
        try? await disk.daemon.kill9()
    }

    private func prepared() async throws -> Disk {
        let archive = try await withDaemonAndClient { _, client in
            var random = SplitMix(seed: 6)
            for number in 0..<4 {
                try await client.saveFile(
                    ContentBytes(600_000, &random).array, at: VaultPath(.document, "\(Self.writer)/restored\(number)"),
                    createsParents: true)
            }
            return try await client.archive()
        }
        let daemon = try TestDaemon.prepare()
        let small = try SmallDisk(at: daemon.stateDirectory, bytes: Self.diskBytes)
        try await daemon.startAgain()
        let client = try await daemon.connect()
        var disk = Disk(daemon: daemon, client: client, disk: small, archive: archive, state: ContentState())
        let steps: [ContentStep] = [
            .put("small", ContentBytes(1_000, &disk.random)), .put("large", ContentBytes(1_500_000, &disk.random)),
            .put("deleted0", ContentBytes(100_000, &disk.random)),
            .put("deleted900000", ContentBytes(70_000, &disk.random)), .copy("large", to: "copied"),
            .save([
                "kept": ContentState.SavedMessage(
                    text: "kept", attachments: [ContentBytes(200_000, &disk.random), ContentBytes(10, &disk.random)])
            ]),
        ]
        for (number, step) in steps.enumerated() {
            try await step.run(client, Self.writer)
            step.apply(to: &disk.state, number: number)
        }
        return disk
    }

    private func refuse(_ operation: Operation, _ leftBytes: UInt64, _ disk: inout Disk) async throws {
        let comment: Comment = "\(operation), \(leftBytes) bytes left"
        try disk.disk.fill(leaving: leftBytes)
        let names = try await disk.client.backups().map(\.name)
        var copy = disk
        let refused = try await reason { try await run(operation, &copy) }
        #expect(refused == .diskFull, comment)
        if operation == .restoreArchive {
            // Files that were restored before the error stay, because a restore adds complete files one after the
            // other.
            try await takeRestored(&disk)
            #expect(copy.state.differences(from: disk.state).allSatisfy { $0.contains("restored") }, comment)
        }
        try await expect(disk, comment)
        #expect(try await disk.client.backups().map(\.name) == names, comment)
        // A delete succeeds although the disk is full.
        let delete = ContentStep.delete("deleted\(leftBytes)")
        try await delete.run(disk.client, Self.writer)
        delete.apply(to: &disk.state, number: -1)
        try await expect(disk, comment)
        disk.disk.release()
        let client = disk.client
        try await eventually("\(comment): the store is open again, without a write") {
            try await client.status().storeState == .open
        }
    }

    private func run(_ operation: Operation, _ disk: inout Disk) async throws {
        switch operation {
        case .backup: _ = try await disk.client.createBackup()
        case .restoreArchive:
            _ = try await disk.client.restore(disk.archive)
            try await takeRestored(&disk)
            #expect(disk.state.files.keys.count { $0.hasPrefix("restored") } == 4)
        default:
            guard let step = operation.step(&disk.random) else { return }
            try await step.run(disk.client, Self.writer)
            step.apply(to: &disk.state, number: 100)
        }
    }

    /// Adds the files that the restore has written so far to the expected state.
    private func takeRestored(_ disk: inout Disk) async throws {
        let found = try await disk.verification.state(of: Self.writer)
        for (path, content) in found.files where disk.state.files[path] == nil {
            let number = (disk.state.files.values.map(\.number).max() ?? 0) + 1_000
            disk.state.files[path] = ContentState.FileContent(bytes: content.bytes, number: number)
        }
    }

    /// Expects that the store has exactly the expected data, and that the folder `vault/` has no leftover file that no
    /// content uses.
    private func expect(_ disk: Disk, _ comment: Comment) async throws {
        let found = try await disk.verification.state(of: Self.writer)
        #expect(found.differences(from: disk.state) == [], comment)
        try await disk.verification.expectNoOrphans([disk.state], comment)
    }
}
