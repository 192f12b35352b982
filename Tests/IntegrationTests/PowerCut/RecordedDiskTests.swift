import StoreBasics
import Testing

/// Tests the simulated disk that the power cut tests use: it keeps synced data and may lose anything else.
@Suite struct RecordedDiskTests {
    private static let folder = "/folder"
    private static let written: [UInt8] = Array(repeating: 1, count: 2_000) + Array(repeating: 2, count: 2_000)

    /// Runs all events and then cuts the power, `cuts` times, each time on a new disk. Returns the contents of the disk
    /// after each cut, which differ by chance.
    private func left(
        of image: DiskImage = DiskImage(), _ events: [WriteRecord.Event], cuts: Int = 200
    ) throws -> [DiskImage] {
        var random = SplitMix(seed: 4)
        return try (0..<cuts).map { _ in
            let record = WriteRecord(events, writing: Self.written)
            let disk = RecordedDisk(image, at: Self.folder, record)
            try disk.run(to: events.count)
            return disk.afterPowerCut(&random)
        }
    }

    private func made(_ name: String, as number: Int32) -> [WriteRecord.Event] {
        [
            .opened(number, path: "\(Self.folder)/\(name)", creates: true, truncates: false),
            .written(number, offset: 0, 0..<2_000),
        ]
    }

    private var openedFolder: WriteRecord.Event {
        .opened(9, path: Self.folder, creates: false, truncates: false)
    }

    @Test func `a file survives if it and its folder were synced, and may be lost otherwise`() throws {
        let both = try left(made("f", as: 3) + [.synced(3, before: 2), openedFolder, .synced(9, before: 4)])
        #expect(both.allSatisfy { $0.files["f"] == Array(Self.written.prefix(2_000)) })
        let unnamed = try left(made("f", as: 3) + [.synced(3, before: 2)])
        #expect(Set(unnamed.map(\.files.count)) == [0, 1])
        let unwritten = try left(made("f", as: 3) + [openedFolder, .synced(9, before: 3)])
        #expect(unwritten.allSatisfy { $0.files["f"] != nil })
        // The file may be empty, complete, or have only some of its sectors.
        let files: [[UInt8]] = unwritten.compactMap { $0.files["f"] }
        #expect(files.contains { $0.isEmpty } && files.contains { $0.count == 2_000 })
        #expect(files.contains { $0.contains(0) })
        // A sync covers only writes from before it began.
        let late = try left(made("f", as: 3) + [.synced(3, before: 1), openedFolder, .synced(9, before: 4)])
        #expect(late.contains { $0.files["f"] == [] })
    }

    @Test func `after durable bytes are overwritten, each sector has either the old bytes or the new ones`() throws {
        var image = DiskImage()
        image.files["f"] = [UInt8](repeating: 1, count: 2_000)
        let images = try left(
            of: image,
            [
                .opened(3, path: "\(Self.folder)/f", creates: false, truncates: false),
                .written(3, offset: 0, 2_000..<4_000),
            ])
        let files = images.compactMap { $0.files["f"] }
        #expect(files.count == images.count && files.allSatisfy { $0.count == 2_000 })
        #expect(Set(files).count > 3)
        for file in files {
            for start in stride(from: 0, to: 2_000, by: 512) {
                #expect(Set(file[start..<min(start + 512, 2_000)]).count == 1)
            }
        }
    }

    @Test func `a rename or a removal survives completely or not at all`() throws {
        var image = DiskImage()
        image.files = ["old": [1], "other": [2], "removed": [3]]
        let events: [WriteRecord.Event] = [
            .renamed("\(Self.folder)/old", to: "\(Self.folder)/other"), .removed("\(Self.folder)/removed"),
        ]
        let found = Set(try left(of: image, events).map(\.files))
        let expected: Set<[String: [UInt8]]> = [
            ["old": [1], "other": [2], "removed": [3]], ["other": [1], "removed": [3]], ["old": [1], "other": [2]],
            ["other": [1]],
        ]
        #expect(found == expected)
        let synced = try left(of: image, events + [openedFolder, .synced(9, before: 2)])
        #expect(synced.allSatisfy { $0.files == ["other": [1]] })
    }

    @Test func `a folder that is lost takes its content with it`() throws {
        let events: [WriteRecord.Event] = [
            .madeFolder("\(Self.folder)/inner"),
            .opened(4, path: "\(Self.folder)/inner", creates: false, truncates: false),
        ]
        let file: [WriteRecord.Event] = made("inner/f", as: 3) + [.synced(3, before: 4), .synced(4, before: 5)]
        #expect(Set(try left(events + file).map(\.files.count)) == [0, 1])
        let durable = try left(events + file + [openedFolder, .synced(9, before: 7)])
        #expect(durable.allSatisfy { $0.files["inner/f"]?.count == 2_000 })
    }
}
