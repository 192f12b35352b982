import GhostTestSupport
import StoreBasics
import TestBasics

/// A life of a daemon in which what it does to its files is recorded, to be cut off at any moment of it.
struct PowerCuts: Sendable {
    private let recordPath: String

    struct Cut {
        /// How long the record was by then.
        let position: Int
        let image: DiskImage
    }

    /// Starts it with the recorder in it. It must be stopped.
    static func record(_ daemon: TestDaemon) async throws -> PowerCuts {
        let cuts = PowerCuts(recordPath: daemon.directory.file("record"))
        var options = TestDaemonOptions()
        options.environment = [
            "LD_PRELOAD": try await PreloadedLibrary.writes.path, "RECORD": cuts.recordPath,
            "RECORDED_FOLDER": daemon.stateDirectory,
        ]
        try await daemon.startAgain(options)
        return cuts
    }

    /// How long the record is by now: what an answer says was recorded before it.
    var length: Int {
        WriteRecord.length(recordPath)
    }

    /// What disks may hold when the power fails at moments of the life, which is over.
    ///
    /// - Parameters:
    ///   - image: what the daemon was started on.
    ///   - start: how long the record was when that began which is to be cut off.
    ///   - keepsSyncs: false: nothing becomes durable by a sync, which a test of power cuts has to notice.
    func cuts(
        _ count: Int, of image: DiskImage, _ daemon: TestDaemon, _ random: inout SplitMix, after start: Int = 0,
        keepsSyncs: Bool = true
    ) throws -> [Cut] {
        let record = try WriteRecord(recordPath)
        let disk = RecordedDisk(image, at: daemon.stateDirectory, record, keepsSyncs: keepsSyncs)
        let begin = record.entries.firstIndex { $0.end > start } ?? 0
        let moments = (0..<count).map { _ in Self.moment(Array(record.entries[begin...]), &random) }
        return try moments.sorted().map { position in
            try disk.run(to: position)
            return Cut(position: position, image: disk.afterPowerCut(&random))
        }
    }

    /// Any, and more often one before or after what makes something durable, gives it a name or takes one away.
    private static func moment(_ entries: [WriteRecord.Entry], _ random: inout SplitMix) -> Int {
        let turning = entries.indices.filter { index in
            switch entries[index].event {
            case .synced, .renamed, .linked, .removed, .madeFolder: true
            default: false
            }
        }
        let index =
            Bool.random(using: &random)
            ? entries.indices.randomElement(using: &random)
            : turning.randomElement(using: &random).map { $0 - Int.random(in: 0...1, using: &random) }
        return index.flatMap { entries.indices.contains($0) ? entries[$0].end : nil } ?? 0
    }
}
