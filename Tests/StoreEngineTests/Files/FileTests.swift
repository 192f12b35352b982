import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct FileTests {
    private let files = FileStore()

    @Test func `a saved file is read whole, in parts and beyond its end`() throws {
        #expect(reason { try files.save("a/file") } == .parentDirectoryNotFound)
        let commit = try files.save("a/file", "0123456789", createsParents: true)
        #expect(commit.ids == ["document/a/file"] && commit.createdCount == 3)
        #expect(try files.text("a/file") == "0123456789")
        #expect(try files.text("a/file", from: 3) == "3456789")
        #expect(try files.text("a/file", from: 3, byteCount: 2) == "34")
        #expect(try files.text("a/file", from: 8, byteCount: .max) == "89")
        for offset in [10, 11, UInt64.max] {
            #expect(try files.text("a/file", from: offset) == "")
        }
        #expect(reason { _ = try files.text("a") } == .fileNotFound)
        #expect(reason { _ = try files.text("none") } == .fileNotFound)
        #expect(reason { _ = try files.text("a/file/none") } == .fileNotFound)
        try files.save("empty", "")
        #expect(try files.text("empty") == "" && files.item("empty")?.kind == .file(byteCount: 0))
    }

    @Test func `saving again replaces the content and keeps the file`() throws {
        try files.save("file", "first")
        let first = try #require(try files.item("file"))
        let before = try files.revision
        #expect(try files.save("file", "second one").updatedCount == 1)
        let second = try #require(try files.item("file"))
        #expect(second.kind == .file(byteCount: 10) && second.createdAt == first.createdAt)
        #expect(second.revision > first.revision && second.modifiedAt > first.modifiedAt)
        #expect(try files.changes(after: before) == ["updated document/file"])
        #expect(try files.rowCount("file_contents") == 1)
        try files.create("directory")
        #expect(reason { try files.save("directory") } == .alreadyExists)
        #expect(reason { try files.save("") } == .alreadyExists)
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `appending writes at the end, and creates a missing file`() throws {
        #expect(reason { try files.append("a/file", "x") } == .parentDirectoryNotFound)
        try files.append("a/file", "one", createsParents: true)
        try files.append("a/file", ", two")
        #expect(try files.text("a/file") == "one, two")
        let before = try files.revision
        try files.append("a/file", "")
        #expect(try files.revision == before)
        #expect(reason { try files.append("a", "x") } == .alreadyExists)
    }

    @Test func `a file that would be too large is refused and stays unchanged`() throws {
        let most = String(repeating: "x", count: EngineLimits.inlineFileBytesMax)
        try files.save("file", most)
        let before = try files.revision
        #expect(reason { try files.append("file", "y") } == .invalidArgument)
        #expect(reason { try files.save("file", most + "y") } == .invalidArgument)
        #expect(reason { try files.save("new/file", most + "y", createsParents: true) } == .invalidArgument)
        #expect(try files.text("file") == most)
        #expect(try files.revision == before && files.names() == ["file"])
    }

    @Test func `a deleted file is gone, and its content is deleted with the last copy`() throws {
        try files.save("file", "a very rare text")
        try files.copy("file", "copy")
        #expect(try files.rowCount("file_contents") == 1)
        #expect(try files.delete("file").deletedCount == 1)
        #expect(try files.text("copy") == "a very rare text")
        #expect(reason { try files.delete("file") } == .fileNotFound)
        try files.delete("copy")
        #expect(try files.rowCount("file_contents") == 0)
        try files.create("directory")
        #expect(reason { try files.delete("directory") } == .fileNotFound)
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `a directory is modified when an entry is created, removed or renamed`() throws {
        try files.create("a")
        var last = try #require(try files.item("a"))
        let steps: [() throws -> Commit] = [
            { try files.save("a/x") }, { try files.move("a/x", "a/y") }, { try files.copy("a/y", "a/z") },
            { try files.delete("a/z") }, { try files.create("a/d") }, { try files.remove("a/d") },
            { try files.move("a/y", "y") },
        ]
        for (number, step) in steps.enumerated() {
            _ = try step()
            let item = try #require(try files.item("a"))
            #expect(item.modifiedAt > last.modifiedAt, "\(number)")
            #expect(item.createdAt == last.createdAt)
            last = item
        }
    }

    @Test func `files survive a restart, and a repeated key saves only once`() throws {
        let store = try files.store.get()
        let save = Mutation.saveFile(try FileStore.path("file"), [1, 2, 3], createsParents: false)
        let first = try store.engine.commit(save, key: IdempotencyKey("save once"))
        try store.reopen()
        let second = try store.engine.commit(save, key: IdempotencyKey("save once"))
        #expect(second.isReplayed && second.revision == first.revision)
        #expect(try files.item("file")?.kind == .file(byteCount: 3))
        #expect(try expectClean(store.engine) == [])
    }
}
