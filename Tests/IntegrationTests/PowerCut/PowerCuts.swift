import GhostTestSupport
import StoreBasics
import TestBasics

/// A run of the daemon whose file operations are recorded, so that tests can cut the power at any moment of it.
struct PowerCuts: Sendable {
    private let recordPath: String

    struct Cut {
        /// The length of the record at the time of the cut.
        let position: Int
        let image: DiskImage
    }

    /// Starts the daemon with the recorder. The daemon must be stopped before.
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

    /// The current length of the record. When a client has received a response, the record contains every operation
    /// that the response acknowledges.
    var length: Int {
        WriteRecord.length(recordPath)
    }

    /// Returns what the disk may contain if the power fails at random moments of the finished run.
    ///
    /// - Parameters:
    ///   - image: the content of the disk before the daemon started.
    ///   - start: the length of the record at the beginning of the part that may be cut.
    ///   - keepsSyncs: false for a disk that ignores syncs, which a test of power cuts has to notice.
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

    /// Returns a random moment. Moments just before or after a sync, a new name or a removed name are more frequent.
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
