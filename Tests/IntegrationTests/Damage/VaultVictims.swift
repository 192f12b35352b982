import FoundationEssentials
import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// Creates files and attachments in a daemon's vault, and checks what reads of them return after the test has changed
/// their host files.
final class VaultVictims {
    let daemon: TestDaemon
    private var client: StoreClient
    private var random = SplitMix(seed: 3)
    private var knownFiles: Set<String> = []
    private var count = 0

    init(_ daemon: TestDaemon) async throws {
        self.daemon = daemon
        client = try await daemon.connect()
    }

    private var vault: String { daemon.stateDirectory + "/vault" }

    func file(_ byteCount: Int) async throws -> VaultVictim {
        count += 1
        let content = ContentBytes(byteCount, &random)
        let path = VaultPath(.library, "f\(count)")
        let revision = try await client.saveFile(content.array, at: path).revision
        return try victim(.file(path), content, revision)
    }

    func attachment(_ byteCount: Int) async throws -> VaultVictim {
        count += 1
        let content = ContentBytes(byteCount, &random)
        let commit = try await client.saveMessage(
            NewMessage(
                id: "m\(count)", conversation: .sessionID("05victims"), text: "text",
                attachments: [NewAttachment(.bytes(content.array), name: "content", mimeType: "image/png")]))
        return try victim(.attachment("m\(count)"), content, commit.revision)
    }

    /// Overwrites bytes in the middle of the file, and returns the file with its current content and host file.
    func overwritten(_ victim: VaultVictim, at offset: Int, _ byteCount: Int) async throws -> VaultVictim {
        guard case .file(let path) = victim.place else { return victim }
        let bytes = ContentBytes(byteCount, &random)
        var write = try await client.beginFileWrite(at: path, .offset(UInt64(offset)))
        try await write.write(bytes.array)
        try await write.finish()
        // The daemon overwrites the replaced chunk with zeros.
        try await eventually("what was written over has left the disk") {
            let slot = victim.slot(offset / VaultVictim.chunkBytes)
            let left = Self.sealed(victim.hostPath).dropFirst(slot.lowerBound).prefix(slot.count)
            return left.count == slot.count && left.allSatisfy { $0 == 0 }
        }
        return VaultVictim(
            place: victim.place, content: victim.content.replaced(at: offset, by: bytes), revision: victim.revision,
            hostPath: victim.hostPath, sealed: Self.sealed(victim.hostPath))
    }

    private func victim(
        _ place: VaultVictim.Place, _ content: ContentBytes, _ revision: UInt64
    ) throws -> VaultVictim {
        let names = try FileManager.default.subpathsOfDirectory(atPath: vault).filter { $0.contains("/") }
        let name = try #require(names.first { !knownFiles.contains($0) })
        #expect(knownFiles.insert(name).inserted && names.count == knownFiles.count)
        let hostPath = "\(vault)/\(name)"
        let sealed = Self.sealed(hostPath)
        try #require(sealed.count > VaultVictim.headerBytes + content.count)
        return VaultVictim(place: place, content: content, revision: revision, hostPath: hostPath, sealed: sealed)
    }

    private static func sealed(_ hostPath: String) -> [UInt8] {
        FileManager.default.contents(atPath: hostPath).map { Array($0) } ?? []
    }

    /// Stops the daemon while `body` runs, because a daemon that has a file open does not read its header again.
    func whileStopped(_ body: () throws -> Void) async throws {
        await client.close()
        try await daemon.terminate()
        try body()
        try await daemon.startAgain()
        client = try await daemon.connect()
    }

    /// Expects that reading each victim fails for exactly these chunks, and that the check reports exactly the victims
    /// with such chunks.
    func expect(_ victims: [(victim: VaultVictim, damaged: Set<Int>, what: String)]) async throws {
        for (victim, damaged, what) in victims {
            var found: Set<Int> = []
            for chunk in 0..<victim.chunkCount {
                do {
                    let isEqual = try await victim.read(chunk, client) == victim.plaintext(chunk)
                    #expect(isEqual, "\(what): other bytes")
                } catch let error as StoreClientError {
                    #expect(error.reason == .fileDamaged, "\(what)")
                    found.insert(chunk)
                }
            }
            #expect(found == damaged, "\(what)")
        }
        let findings = try await client.checkStore().findings
        let expected = victims.filter { !$0.damaged.isEmpty }.map { victim, _, _ in
            switch victim.place {
            case .file: "the file created at revision \(victim.revision): the file is damaged"
            case .attachment: "the attachment saved at revision \(victim.revision): the file is damaged"
            }
        }
        let named: [String] = findings.map { finding in finding.prefix { $0 != ":" } + ": the file is damaged" }
        #expect(named.sorted() == expected.sorted(), "\(findings)")
        try await expectUsable(victims.map(\.victim))
    }

    /// The check reports a damaged file by the revision that created it. Expects that the change with this revision has
    /// the path of the file, and that a new file can be saved, read and deleted.
    private func expectUsable(_ victims: [VaultVictim]) async throws {
        for victim in victims {
            guard case .file(let path) = victim.place else { continue }
            let change = try await client.changePage(after: victim.revision - 1, limit: 1).changes.first
            #expect(change?.id == path.description)
        }
        #expect(try await client.status().storeState == .open)
        let path = VaultPath(.library, "usable")
        let content = ContentBytes(70_000, &random)
        try await client.saveFile(content.array, at: path)
        #expect(try await ContentBytes(client.readFile(at: path)) == content)
        try await client.deleteFile(at: path)
    }

    /// Removes every victim, damaged or not, and expects that no file of it remains and that the check finds nothing.
    func removeAll(_ victims: [VaultVictim]) async throws {
        for victim in victims {
            switch victim.place {
            case .file(let path): try await client.deleteFile(at: path)
            case .attachment(let id): try await client.deleteMessages([id])
            }
        }
        try await eventually("the vault is empty") { StateFiles(vault).contents.isEmpty }
        try await client.expectClean()
        await client.close()
    }
}
