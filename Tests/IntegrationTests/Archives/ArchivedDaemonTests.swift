import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Archives of everything and of changes, through the daemon. ARCHIVE_SEED is the seed of the random edits.
@Suite struct ArchivedDaemonTests {
    private func archive(_ client: StoreClient, since revision: UInt64 = 0) async throws -> (
        file: [UInt8], revision: UInt64
    ) {
        let archive = try await client.beginArchive(sinceRevision: revision)
        var file: [UInt8] = []
        while true {
            let piece = try await client.readArchive(archive.session, offset: UInt64(file.count))
            file += piece.data
            guard !piece.isLast else { return (file, archive.revision) }
        }
    }

    private func restore(
        _ file: [UInt8], _ aim: ArchiveAim, isDryRun: Bool = false, in client: StoreClient
    ) async throws -> ArchiveRestoreReport {
        let session = try await client.beginArchiveRestore(aim, isDryRun: isDryRun)
        for start in stride(from: 0, to: file.count, by: 300_000) {
            try await client.writeArchiveRestore(
                session, offset: UInt64(start), data: Array(file[start..<min(file.count, start + 300_000)]))
        }
        return try await client.finishArchiveRestore(session)
    }

    /// Makes random edits. Some of them change nothing.
    private func edit(_ client: StoreClient, _ count: Int, _ generator: inout SplitMix) async throws {
        for _ in 0..<count {
            let (number, other) = (Int.random(in: 0..<8, using: &generator), Int.random(in: 0..<4, using: &generator))
            let conversation = ConversationReference.sessionID("05party\(other)")
            do throws(StoreClientError) {
                switch Int.random(in: 0..<12, using: &generator) {
                case 0, 1:
                    let content = [UInt8](repeating: UInt8(number), count: 1 + other * 40_000)
                    let digest = try await client.writeAttachment(content)
                    try await client.saveMessage(
                        NewMessage(
                            id: "m\(number)", conversation: conversation, text: "text \(other)",
                            attachments: other == 0 ? [] : [NewAttachment(.digest(digest), mimeType: "image/png")]))
                case 2: try await client.editMessage("m\(number)", text: "edited \(other)")
                case 3: try await client.deleteMessages(["m\(number)"])
                case 4: try await client.addReaction("👍", to: "m\(number)", by: "05party\(other)")
                case 5: try await client.removeReaction("👍", from: "m\(number)", by: "05party\(other)")
                case 6: try await client.saveDraft(in: conversation, text: number == 0 ? "" : "draft \(number)")
                case 7:
                    let notes = FieldUpdate.set("\(number)")
                    try await client.saveContact(ContactUpdate(sessionID: "05party\(other)", notes: notes))
                case 8: try await client.deleteContact(sessionID: "05party\(other)")
                case 9: try await client.deleteConversation(conversation)
                case 10:
                    try await client.saveFile(
                        [UInt8](repeating: 1, count: number * 20_000), at: VaultPath(.document, "\(other)/\(number)"),
                        createsParents: true)
                default:
                    try await client.moveFile(
                        from: VaultPath(.document, "\(other)"), to: VaultPath(.document, "moved\(number)"))
                }
            } catch {
                #expect(["NOT_FOUND", "ALREADY_EXISTS"].contains(error.code.name), "\(error)")
            }
        }
    }

    @Test func `a full archive and two archives of changes reproduce the store`() async throws {
        var generator = SplitMix(seed: Settings.seed("ARCHIVE_SEED"))
        try await withDaemonAndClient { _, source in
            try await withDaemonAndClient { _, target in
                try await edit(source, 40, &generator)
                var made = try await archive(source)
                _ = try await restore(made.file, .fillEmpty, in: target)
                for _ in 0..<2 {
                    try await edit(source, 60, &generator)
                    let since = made.revision
                    made = try await archive(source, since: since)
                    let report = try await restore(made.file, .merge, in: target)
                    #expect(report.sinceRevision == since && report.revision == made.revision)
                }
                let (here, there) = (try await archive(source).file, try await archive(target).file)
                let back = try await restore(there, .merge, isDryRun: true, in: source)
                #expect(back.equal == back.counts)
                let forth = try await restore(here, .merge, isDryRun: true, in: target)
                #expect(forth.equal == forth.counts && forth.counts == back.counts)
                try await target.expectClean()
            }
        }
    }

    @Test func `an archive of changes since a future revision, or one of another history, is refused`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.saveContact(ContactUpdate(sessionID: "05party"))
            let ahead = try await reason { _ = try await client.beginArchive(sinceRevision: 99) }
            #expect(ahead == .revisionAhead)
            let other = try #require(HistoryID("00112233445566778899aabbccddeeff"))
            let foreign = try await reason {
                _ = try await client.with(history: other).beginArchive(sinceRevision: 1)
            }
            #expect(foreign == .historyChanged)
        }
    }
}
