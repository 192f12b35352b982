import FoundationEssentials
import GhostTestSupport
import StoreClient
import Testing

private let otherLibrary = ProcessInfo.processInfo.environment["OTHER_SQLCIPHER"]

/// Opens one store with two versions of SQLCipher in turn, as after an upgrade of the system and after a downgrade.
/// `make check-sqlcipher` builds the other version and sets `OTHER_SQLCIPHER` to its folder.
@Suite(.oneAtATime, .enabled(if: otherLibrary != nil, "no second SQLCipher is at hand"))
struct LibraryChangeTests {
    private func options(usingOther: Bool) -> TestDaemonOptions {
        var options = TestDaemonOptions()
        options.environment = usingOther ? ["LD_LIBRARY_PATH": otherLibrary ?? ""] : [:]
        return options
    }

    private func save(_ numbers: Range<Int>, _ client: StoreClient) async throws {
        for number in numbers {
            try await client.saveMessage(
                NewMessage(id: "m\(number)", conversation: .sessionID("05library"), text: "text \(number)"))
        }
    }

    @Test(arguments: [false, true])
    func `a store killed under one library opens under the other, whichever is first`(otherFirst: Bool) async throws {
        let daemon = try TestDaemon.prepare()
        var versions: [String] = []
        var revision: UInt64 = 0
        // kill -9 leaves a WAL that the other library must recover.
        for life in 0..<4 {
            let usesOther = life.isMultiple(of: 2) == otherFirst
            try await daemon.startAgain(options(usingOther: usesOther))
            let client = try await daemon.connect()
            versions.append(try await client.status().sqlCipherVersion)
            let changes = try await client.gapFreeChanges()
            #expect(changes.last?.revision ?? 0 == revision)
            try await save(life * 100..<(life + 1) * 100, client)
            try await client.editMessage("m\(life)", text: "edited \(life)")
            try await client.deleteMessages(["m\(life * 100 + 50)"])
            let texts = try await client.allMessages("05library").map(\.text)
            #expect(texts.count == (life + 1) * 99)
            #expect(texts.filter { $0.hasPrefix("edited") }.count == life + 1)
            #expect(try await client.statistics().messageCount == (life + 1) * 99)
            #expect(try await client.searchMessages("edited").collect().count == life + 1)
            #expect(try await client.searchMessages("tex*").collect().count == (life + 1) * 98)
            try await client.expectClean()
            revision = try await client.changePage(after: 0, limit: 1).revision
            await client.close()
            try await daemon.kill9()
        }
        #expect(Set(versions).count == 2, "both libraries have the version \(versions)")
        #expect(versions[0] == versions[2] && versions[1] == versions[3])
    }

    @Test(arguments: [false, true])
    func `a backup made under one library is restored under the other`(otherFirst: Bool) async throws {
        let daemon = try TestDaemon.prepare()
        try await daemon.startAgain(options(usingOther: otherFirst))
        var client = try await daemon.connect()
        try await save(0..<200, client)
        let backup = try await client.createBackup()
        await client.close()
        try await daemon.terminate()

        try await daemon.startAgain(options(usingOther: !otherFirst))
        client = try await daemon.connect()
        try await client.deleteConversation(.sessionID("05library"))
        #expect(try await client.verifyBackup(backup.name).isClean)
        _ = try await client.restoreBackup(backup.name, replaceExisting: true)
        #expect(try await client.allMessages("05library").count == 200)
        try await client.expectClean()
        await client.close()
        try await daemon.kill9()
    }

    @Test(arguments: [false, true])
    func `the master key is rotated under one library and opens under the other`(otherFirst: Bool) async throws {
        let daemon = try TestDaemon.prepare()
        try await daemon.startAgain(options(usingOther: otherFirst))
        var client = try await daemon.connect()
        try await save(0..<50, client)
        #expect(try await client.rotateMasterKey() >= 1)
        await client.close()
        try await daemon.kill9()

        try await daemon.startAgain(options(usingOther: !otherFirst))
        client = try await daemon.connect()
        #expect(try await client.allMessages("05library").count == 50)
        try await client.expectClean()
        await client.close()
        try await daemon.kill9()
    }
}
