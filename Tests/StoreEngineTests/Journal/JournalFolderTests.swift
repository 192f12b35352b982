import Glibc
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests a wrong kind of file in place of the journal's folder or of one of its files.
@Suite struct JournalFolderTests {
    private let folder: TemporaryDirectory
    private let state: StateDirectory

    init() throws {
        folder = try TemporaryDirectory()
        state = try StateDirectory(path: folder.path)
    }

    @Test func `an error names a file at the path of the folder`() throws {
        try TestFile.write([1], to: folder.path + "/journal")
        #expect(throws: StoreError(.storageFailed, "journal is not a folder; move it away")) {
            _ = try JournalFolder(in: state)
        }
    }

    @Test func `an error names a link at the path of a file, and names that are no numbers are ignored`() throws {
        let journal = try JournalFolder(in: state)
        for name in ["7", "00", "01", "+1", "-1", "1.", "9223372036854775808", "x"] {
            try #require(symlink("nowhere", "\(folder.path)/journal/\(name)") == 0)
        }
        #expect(try journal.slots() == [7])
        #expect(throws: SystemFailure.error("journal/7 cannot be opened", ELOOP)) {
            _ = try SegmentFile(journal, slot: 7)
        }
    }

    /// Checks that the opening creates no new folder. Otherwise `mv journal.away journal` would move the old folder
    /// into the new one.
    @Test func `a store without its journal creates no other journal, and opens when the journal is back`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<3)
        store.engine.shutDown()
        let journal = store.path + "/state/journal"
        try #require(rename(journal, journal + ".away") == 0)
        try store.reopen()
        #expect(store.engine.state != .open)
        #expect(access(journal, F_OK) != 0)
        try #require(rename(journal + ".away", journal) == 0)
        _ = try store.engine.unlock(secret: TemporaryStore.keyFile())
        #expect(try store.engine.hasNumbered(2))
    }
}
