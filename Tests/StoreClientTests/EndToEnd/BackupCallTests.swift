import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(2))) struct BackupCallTests {
    @Test func `a check of a sound store finds nothing`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "t"))
            let report = try await client.checkStore()
            #expect(report.isClean, "\(report.findings)")
            #expect(report.pagesChecked > 0 && report.rowsChecked > 0)
        }
    }

    @Test func `a backup is created, verified, restored and deleted`() async throws {
        try await withDaemonAndClient { _, client in
            let kept = NewMessage(conversation: .sessionID("05a"), text: "kept")
            try await client.saveMessage(kept)
            let backup = try await client.createBackup()
            #expect(backup.isComplete && backup.bytes > 0)
            #expect(try await client.backups() == [backup] && backup.kind == .made)
            let later = NewMessage(conversation: .sessionID("05a"), text: "later")
            let replacedRevision = try await client.saveMessage(later).revision

            let report = try await client.verifyBackup(backup.name)
            #expect(report.isClean, "\(report.findings)")
            #expect(report.statistics.messageCount == 1)

            let restored = try await client.restoreBackup(backup.name, replaceExisting: true)
            #expect(restored.messageCount == 1)
            #expect(try await client.message(kept.id).text == "kept")
            let gone = await #expect(throws: StoreClientError.self) { _ = try await client.message(later.id) }
            #expect(gone?.reason == .messageNotFound)

            try await client.deleteBackup(backup.name)
            let replaced = try await client.backups()
            #expect(replaced.map(\.kind) == [.replacedStore] && replaced.allSatisfy { $0.bytes > 0 })
            #expect(replaced.map(\.revision) == [replacedRevision])
            try await client.deleteBackup("replaced")
            #expect(try await client.backups().isEmpty)
            let absent = await #expect(throws: StoreClientError.self) { try await client.deleteBackup(backup.name) }
            #expect(absent?.reason == .backupNotFound)
        }
    }

    @Test func `a backup that was downloaded in chunks can be uploaded and restored`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await client.saveMessages(
                (0..<250).map { NewMessage(conversation: .sessionID("05a"), text: "text \($0)") })
            let backup = try await client.createBackup()
            var file: [UInt8] = []
            while true {
                let chunk = try await client.readBackup(backup.name, offset: UInt64(file.count), length: 50_000)
                #expect(chunk.totalBytes == backup.bytes)
                file += chunk.data
                if UInt64(file.count) == chunk.totalBytes {
                    break
                }
            }
            #expect(!String(decoding: file, as: UTF8.self).contains("text 1"))

            let name = try await client.beginBackupUpload(bytes: UInt64(file.count))
            var offset = 0
            while offset < file.count {
                let end = min(offset + 100_000, file.count)
                let received = try await client.writeBackup(
                    name, offset: UInt64(offset), data: Array(file[offset..<end]))
                #expect(received == UInt64(end))
                offset = end
            }
            let key = try SecretInput(kind: .keyFile, file: daemon.keyFilePath)
            let report = try await client.verifyBackup(name, secret: key)
            #expect(report.isClean, "\(report.findings)")
            #expect(report.statistics.messageCount == 250)
        }
    }

    @Test func `clearing all data leaves only a change that records it`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "t"))
            try await client.saveContact(ContactUpdate(sessionID: "05a"))
            let revision = try await client.statistics().revision
            try await client.clearAllData()
            let statistics = try await client.statistics()
            #expect(statistics.messageCount == 0 && statistics.conversationCount == 0)
            #expect(statistics.contactCount == 0 && statistics.unreadCount == 0)
            let changes = try await client.changePage(after: revision).changes
            #expect(changes.contains { $0.kind == .store && $0.operation == .cleared })
        }
    }
}
