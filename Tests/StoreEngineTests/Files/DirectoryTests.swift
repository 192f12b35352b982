import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct DirectoryTests {
    private let files = FileStore()

    @Test func `a directory can be created only in an existing one`() throws {
        #expect(reason { try files.create("a/b") } == .parentDirectoryNotFound)
        #expect(try files.revision == 0)
        try files.create("a")
        try files.create("a/b")
        #expect(try files.changes() == ["created document", "created document/a", "created document/a/b"])
        #expect(reason { try files.create("a/b") } == .alreadyExists)
        #expect(reason { try files.create("a/b", createsParents: true) } == .alreadyExists)
        #expect(reason { try files.create("") } == .alreadyExists)
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `missing parents are created if the request says so`() throws {
        let commit = try files.create("a/b/c", createsParents: true)
        #expect(commit.createdCount == 4 && commit.ids == ["document/a/b/c"])
        #expect(try files.names("a/b") == ["c/"])
        try files.save("a/file")
        #expect(reason { try files.create("a/file/x", createsParents: true) } == .parentDirectoryNotFound)
        #expect(reason { try files.create("a/file") } == .alreadyExists)
    }

    @Test func `a directory that is not empty is removed only if the request includes its children`() throws {
        try files.save("a/b/file", createsParents: true)
        try files.save("a/other")
        let before = try files.revision
        #expect(reason { try files.remove("a") } == .directoryNotEmpty)
        #expect(reason { try files.remove("a/b/file") } == .directoryNotFound)
        #expect(reason { try files.remove("none") } == .directoryNotFound)
        try files.remove("a", withChildren: true)
        #expect(try files.changes(after: before) == ["deleted document/a"])
        #expect(try files.names() == [])
        #expect(reason { _ = try files.text("a/b/file") } == .fileNotFound)
        try files.create("a")
        try files.remove("a")
        #expect(try eventually { try files.rowCount("files") == 1 && files.rowCount("file_contents") == 0 })
        #expect(try eventually { try files.rowCount("removals") == 0 })
        #expect(try expectClean(files.engine) == [])
    }

    @Test func `a root always exists, and removing it with its children empties it`() throws {
        let item = try #require(try files.item(""))
        #expect(item.kind == .directory && item.createdAt.microseconds > 0)
        #expect(try files.names() == [])
        #expect(try files.remove("").deletedCount == 0)
        #expect(try files.revision == 0)
        try files.save("file")
        #expect(reason { try files.remove("") } == .directoryNotEmpty)
        try files.remove("", withChildren: true)
        #expect(try files.names() == [])
        #expect(try files.item("") != nil)
        #expect(try eventually { try files.rowCount("files") == 0 && files.rowCount("file_contents") == 0 })
    }

    @Test func `a directory is listed in pages, in the order of the bytes of the names`() throws {
        for name in ["b", "a", "\u{e9}", "e\u{301}", "B"] {
            try files.save(name)
        }
        let reader = try files.engine.makeReader()
        var names: [String] = []
        var cursor: String?
        repeat {
            let page = try reader.files(in: FileStore.path(""), limit: 2, cursor: cursor)
            names += page.items.map(\.name.text)
            cursor = page.nextCursor
        } while cursor != nil
        #expect(names.map { Array($0.utf8) } == ["B", "a", "b", "e\u{301}", "\u{e9}"].map { Array($0.utf8) })
        #expect(reason { _ = try files.names("none") } == .directoryNotFound)
        #expect(reason { _ = try files.names("a") } == .directoryNotFound)
        let page = { (limit: Int, cursor: String?) throws in
            _ = try reader.files(in: FileStore.path(""), limit: limit, cursor: cursor)
        }
        #expect(reason { try page(0, nil) } == .invalidArgument)
        #expect(reason { try page(1, "x") } == .invalidArgument)
    }

    @Test func `clearing the store deletes all files`() throws {
        try files.save("a/b", createsParents: true)
        try files.copy("a", "c")
        #expect(try files.engine.commit(.clearAllData).deletedCount == 4)
        #expect(try files.names() == [])
        try files.save("a")
        #expect(try files.names() == ["a"])
        #expect(try eventually { try expectClean(files.engine) == [] })
    }
}
