import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests files that are replicated although their directory is not.
@Suite struct ReplicaSelectedFileTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet

    init() throws {
        let rule = try #require(ReplicaSelection.Rule(text: "files:document/a/*"))
        fleet = try ReplicaFleet(
            deviceCount: 2, seed: 1, kinds: [], selection: try #require(ReplicaSelection([rule])))
    }

    private func path(_ text: String) throws -> FilePath { try FilePath(.document, text) }

    private func save(_ device: Int, _ text: String, _ bytes: [UInt8] = [1]) throws {
        try engine(device).write(.saveFile(path(text), bytes, createsParents: true))
    }

    private func item(_ device: Int, _ text: String) throws -> FileItem? {
        try engine(device).makeReader().fileItem(at: path(text))
    }

    @Test func `files are deleted everywhere with a directory that is itself not selected`() throws {
        for name in ["a/one", "a/b/two", "hidden/three"] {
            try save(0, name)
        }
        try fleet.settle()
        #expect(try item(1, "a/b/two") != nil)
        #expect(try item(1, "hidden") == nil)
        try engine(1).write(.removeDirectory(path("a"), withChildren: true))
        try fleet.settle()
        for name in ["a/one", "a/b/two", "a/b"] {
            #expect(try item(0, name) == nil, "\(name)")
        }
    }

    @Test func `files that a move of their directory selects are published, and removed after a move back`()
        throws
    {
        try save(0, "b/one")
        try save(0, "b/c/two")
        try fleet.settle()
        #expect(try item(1, "a") == nil)
        try engine(0).write(.moveFile(path("b"), to: path("a")))
        try fleet.settle()
        #expect(try item(1, "a/one") != nil)
        #expect(try item(1, "a/c/two") != nil)
        try engine(0).write(.moveFile(path("a"), to: path("b")))
        try fleet.settle()
        #expect(try item(1, "a/one") == nil)
        #expect(try item(1, "a/c/two") == nil)
    }

    @Test func `a file that is not selected stays at the path of another device's directory, whose files are skipped`()
        throws
    {
        try save(1, "a", [7])
        try save(0, "a/one")
        try save(0, "a/c/two")
        try fleet.settle()
        guard case .file? = try item(1, "a")?.kind else {
            Issue.record("the file has made way")
            return
        }
        #expect(try engine(1).makeReader().files(in: path(""), limit: 10, cursor: nil).items.map(\.name.text) == ["a"])
        #expect(try item(0, "a/one") != nil)
        try engine(1).write(.deleteFile(path("a")))
        try save(0, "a/two")
        try fleet.settle()
        #expect(try item(1, "a/two") != nil)
        #expect(try item(0, "a/one") != nil)
        #expect(try expectClean(engine(1)) == [])
    }

    @Test func `a file that is not selected stays although a file below its path is pending`() throws {
        let puppet = try ReplicaPuppet(fleet)
        let content = ReplicaContentTests.bytes(100_000)
        let times = ReplicaFileValue.FileTimes(createdAt: .now, modifiedAt: .now)
        let value = ReplicaFileValue(
            basis: .zero, .listed(times, try AttachmentStore.digest(content), byteCount: UInt64(content.count)))
        let stamp = ReplicaStamp(time: HybridClock.time(at: .now), device: puppet.number)
        let fields = [FieldRecord(field: .value, stamp: stamp, value: value.bytes)]
        let record = ReplicaRecord.thing(ThingRecord(name: try path("a/x").thingName, fields: fields))
        let pieces = try ReplicaContentTests.pieces(of: content).map { ReplicaRecord.contentPiece($0) }
        try puppet.tell([record], to: 0)
        #expect(try engine(0).rowCount(of: "replica_wanted_files") == 1)
        try save(0, "a", [7])
        try puppet.tell(pieces, to: 0)
        try fleet.settle()
        guard case .file? = try item(0, "a")?.kind else {
            Issue.record("the file has made way")
            return
        }
        #expect(try engine(0).rowCount(of: "replica_wanted_files") == 0)
        // The file was skipped. So the device does not publish its removal, and accepts the file when it is sent again.
        try engine(0).write(.deleteFile(path("a")))
        try fleet.settle()
        #expect(try fleet.told(by: 0).allSatisfy { if case .thing = $0 { false } else { true } })
        try puppet.tell(pieces + [record], to: 0)
        #expect(try item(0, "a/x") != nil)
    }
}
