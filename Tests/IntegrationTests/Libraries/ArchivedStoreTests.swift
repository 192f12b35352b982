import FoundationEssentials
import GhostTestSupport
import StoreClient
import TestBasics
import Testing

private let otherLibrary = ProcessInfo.processInfo.environment["OTHER_SQLCIPHER"]

/// Archives a store, restores the archive into a second store and compares every area of the two.
@Suite(.oneAtATime) struct ArchivedStoreTests {
    private func expectArchived(from first: TestDaemonOptions, to second: TestDaemonOptions) async throws -> [String] {
        try await withDaemonAndClient(first) { _, source in
            try await FullStore.fill(source)
            let expected = try await StoreAreas(source)
            let counts = expected.texts.mapValues(\.count)
            for area in [
                "contacts", "conversations", "messages", "drafts", "scenes", "logs", "log entries", "files",
                "reactions",
                "attachments",
            ] {
                #expect(counts[area] ?? 0 > 0, "nothing of \(area)")
            }
            let archive = try await source.archive()
            return try await withDaemonAndClient(second) { _, target in
                let report = try await target.restore(archive)
                #expect(report.added == report.counts && report.kept == ArchiveCounts())
                let found = try await StoreAreas(target)
                #expect(found.differences(from: expected) == [])
                #expect(found == expected)
                try await target.expectClean()
                // Archives the second store, and restores this archive into the first store. The restore must change
                // nothing.
                let back = try await source.restore(try await target.archive())
                #expect(back.equal == back.counts)
                return [try await source.status().sqlCipherVersion, try await target.status().sqlCipherVersion]
            }
        }
    }

    @Test func `a store restored from a full archive is equal in every area`() async throws {
        _ = try await expectArchived(from: TestDaemonOptions(), to: TestDaemonOptions())
    }

    @Test(.enabled(if: otherLibrary != nil, "no second SQLCipher is at hand"), arguments: [false, true])
    func `an archive made under one library and restored under the other gives an equal store`(
        otherFirst: Bool
    ) async throws {
        var other = TestDaemonOptions()
        other.environment = ["LD_LIBRARY_PATH": otherLibrary ?? ""]
        let own = TestDaemonOptions()
        let versions = try await expectArchived(from: otherFirst ? other : own, to: otherFirst ? own : other)
        #expect(versions[0] != versions[1], "both libraries have the version \(versions[0])")
    }
}
