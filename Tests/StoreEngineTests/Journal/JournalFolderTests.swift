import Glibc
import TestBasics
import Testing

@testable import StoreEngine

/// What is in the place of the journal's folder or of one of its files, and is none.
@Suite struct JournalFolderTests {
    private let folder: TemporaryDirectory
    private let state: StateDirectory

    init() throws {
        folder = try TemporaryDirectory()
        state = try StateDirectory(path: folder.path)
    }

    @Test func `a file in the place of the folder is named`() throws {
        try TestFile.write([1], to: folder.path + "/journal")
        #expect(throws: StoreError(.storageFailed, "journal is not a folder; move away what is there")) {
            _ = try JournalFolder(in: state)
        }
    }

    @Test func `a link in the place of a file is named, and what has no number for a name is not looked at`() throws {
        let journal = try JournalFolder(in: state)
        for name in ["7", "00", "01", "+1", "-1", "1.", "9223372036854775808", "x"] {
            try #require(symlink("nowhere", "\(folder.path)/journal/\(name)") == 0)
        }
        #expect(try journal.slots() == [7])
        #expect(throws: SystemFailure.error("journal/7 cannot be opened", ELOOP)) {
            _ = try SegmentFile(journal, slot: 7)
        }
    }
}
