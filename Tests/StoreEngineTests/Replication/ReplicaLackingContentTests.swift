import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Checks that a store gets every content that it lacks and other stores have, whatever the reason for the lack.
@Suite struct ReplicaLackingContentTests: ReplicaFleetSuite {
    private static let bytes = ReplicaContentTests.bytes(200_000)

    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
    }

    private func listed(_ bytes: [UInt8] = Self.bytes) throws -> NewAttachment {
        try NewAttachment(
            .listed(AttachmentStore.digest(bytes), byteCount: UInt64(bytes.count)), name: "a",
            mimeType: MIMEType("a/b"))
    }

    /// Adds device 3, and lets it receive a message whose content has a source. Device 3 then evicts that content.
    private func evict(_ id: String, _ bytes: [UInt8] = Self.bytes) throws {
        try fleet.addStore(attachmentCacheBytesMax: 10)
        try fleet.join(3, by: 0)
        try saveLarge(0, id, bytes, source: "there")
        try fleet.settle()
        try engine(3).writer.waitForRemovals()
        #expect(try message(3, id) != nil)
        #expect(try content(3, id) == nil)
    }

    /// Lets device 1 know the message "m", whose content is in a later batch of device 0.
    private func tellRecordFirst(source: String? = nil) throws {
        try saveLarge(0, "m", Self.bytes, source: source)
        try mergeOther(0)
        try fleet.collect(0)
        while try message(1, "m") == nil {
            try #require(try fleet.deliver(from: 0, to: 1))
        }
        #expect(try content(1, "m") == nil)
        #expect(try engine(1).missingContents().count == 1)
    }

    /// Hands a device a batch to merge. After that, the next batch of this device has records but no contents.
    private func mergeOther(_ device: Int) throws {
        try save(2, "other")
        try fleet.collect(2)
        #expect(try fleet.deliver(from: 2, to: device))
    }

    /// Checks that a device answers a request for the content.
    private func expectAnswer(of device: Int) throws {
        let before = try fleet.pieceCount(toldBy: device)
        let request = ContentRequestRecord(
            digest: try AttachmentStore.digest(Self.bytes).bytes, device: number(device))
        try ReplicaPuppet(fleet).tell([.contentRequest(request)], to: device)
        try fleet.collect(device)
        #expect(try fleet.pieceCount(toldBy: device) == before + 2)
    }

    private func react(_ device: Int, to id: String) throws {
        let reaction = ReactionReference(
            messageID: try EntityID(id), authorSessionID: SessionID(trusted: "ann"), emoji: try Emoji("👍"))
        try engine(device).write(.addReaction(reaction))
    }

    /// Adds a device that receives messages only from its inviter.
    private func letIn(by inviter: Int) throws -> Int {
        try fleet.addStore()
        let new = fleet.devices.count - 1
        try fleet.ask(new, fleet.invite(inviter))
        for _ in 0..<100 {
            guard try fleet.status(new).state != .member else { break }
            for (device, other) in [(inviter, new), (new, inviter)] {
                try fleet.publish(device)
                _ = try fleet.takeNext(device) { channel in
                    if case .device(let number) = channel { number == self.number(other) } else { true }
                }
            }
        }
        #expect(try fleet.status(new).state == .member)
        return new
    }

    @Test func `a content may be announced in an earlier batch than the message that needs it`() throws {
        try saveLarge(0, "m", Self.bytes, text: String(repeating: "a", count: 800_000))
        try fleet.settle()
        let new = try letIn(by: 0)
        #expect(try message(new, "m") != nil)
        try fleet.settle()
        #expect(try content(new, "m") == Self.bytes)
    }

    @Test func `a file that is written here provides the content that a message lacks`() throws {
        try tellRecordFirst()
        try engine(1).writeFile(at: FilePath(.document, "same"), Self.bytes)
        try fleet.collect(1)
        #expect(try content(1, "m") == Self.bytes)
        try fleet.settle()
        try engine(1).write(.deleteFile(FilePath(.document, "same")))
        try fleet.settle()
        #expect(try content(1, "m") == Self.bytes)
        // Device 1 has a file with the content, and may send the content before it learns that device 0 has sent it.
        #expect(
            try fleet.pieceCount(toldBy: 0) == 2 && fleet.pieceCount(toldBy: 1) == 2 && fleet.pieceCount(toldBy: 2) == 0
        )
        try fleet.passAnswerTimes([0, 1, 2])
        #expect(try fleet.pieceCount(toldBy: 0) + fleet.pieceCount(toldBy: 1) + fleet.pieceCount(toldBy: 2) == 4)
        for device in 0..<3 {
            #expect(try expectClean(engine(device)) == [])
        }
    }

    @Test func `a content is complete after a restart, and no part of it stays marked as incomplete`() throws {
        try tellRecordFirst()
        let puppet = try ReplicaPuppet(fleet)
        let pieces = try ReplicaContentTests.pieces(of: Self.bytes).map { ReplicaRecord.contentPiece($0) }
        try puppet.tell(Array(pieces.dropLast()), to: 1)
        try fleet.restart(1)
        try puppet.tell([pieces[pieces.count - 1]], to: 1)
        #expect(try content(1, "m") == nil)
        try fleet.collect(1)
        #expect(try content(1, "m") == Self.bytes)
        try engine(1).waitForCleaning()
        #expect(try !engine(1).holdsStagedContents())
        #expect(try expectClean(engine(1)) == [])
    }

    @Test func `if the inviter of a device lacks a content too, the device gets it from others`() throws {
        try evict("m")
        #expect(try content(2, "m") == Self.bytes)
        let new = try letIn(by: 3)
        try fleet.settle()
        #expect(try content(new, "m") == nil)
        try fleet.passAnswerTimes(Array(0...4))
        #expect(try content(new, "m") == Self.bytes)
    }

    @Test func `a joining device gets a content from another device if the only one that had it is gone`() throws {
        try tellRecordFirst()
        let new = try letIn(by: 1)
        fleet.forget(0)
        try engine(1).removeReplicaDevice(number(0))
        try fleet.settle([1, 2, new])
        #expect(try content(new, "m") == nil)
        try engine(1).writeAttachment(Self.bytes)
        try fleet.passAnswerTimes([1, 2, new])
        #expect(try content(new, "m") == Self.bytes)
        #expect(try content(2, "m") == Self.bytes)
    }

    @Test func `a content that a device stores only after its message is sent as soon as it is stored`() throws {
        try save(0, "m", [listed()])
        try fleet.settle()
        try fleet.passAnswerTimes([0, 1, 2])
        try engine(0).writeAttachment(Self.bytes)
        try fleet.settle()
        #expect(try content(1, "m") == Self.bytes)
        #expect(try content(2, "m") == Self.bytes)
        try fleet.passAnswerTimes([0, 1, 2])
        #expect(try fleet.pieceCount(toldBy: 0) + fleet.pieceCount(toldBy: 1) + fleet.pieceCount(toldBy: 2) == 2)
    }

    @Test func `a content that no device had at first comes from any device that stores it later`() throws {
        try save(0, "m", [listed()])
        try fleet.settle()
        try engine(1).writeAttachment(Self.bytes)
        try fleet.passAnswerTimes([0, 1, 2])
        #expect(try content(0, "m") == Self.bytes)
        #expect(try content(2, "m") == Self.bytes)
    }

    @Test func `a content that an application stores before it arrives is sent once`() throws {
        try tellRecordFirst(source: "there")
        try engine(1).writeAttachment(Self.bytes)
        try fleet.settle()
        try fleet.passAnswerTimes([0, 1, 2])
        #expect(try content(2, "m") == Self.bytes)
        #expect(try fleet.pieceCount(toldBy: 0) + fleet.pieceCount(toldBy: 1) + fleet.pieceCount(toldBy: 2) == 2)
        try react(1, to: "m")
        try fleet.settle()
        #expect(try fleet.pieceCount(toldBy: 1) == 0)
        try expectAnswer(of: 1)
    }

    @Test func `a content that was evicted before it was sent is sent when it is stored again`() throws {
        try fleet.addStore(attachmentCacheBytesMax: 1_000_000)
        try fleet.join(3, by: 0)
        try saveLarge(3, "m", Self.bytes, source: "there")
        try mergeOther(3)
        try saveLarge(3, "larger", ReplicaContentTests.bytes(900_000, 1), source: "there")
        try engine(3).writer.waitForRemovals()
        #expect(try content(3, "m") == nil)
        try fleet.settle()
        #expect(try message(0, "m") != nil)
        #expect(try content(0, "m") == nil)
        try engine(3).writeAttachment(Self.bytes)
        try fleet.settle()
        #expect(try content(0, "m") == Self.bytes)
    }

    @Test func `a pending file gets a content that an application stores, and the device sends it on request`() throws {
        try engine(0).writeFile(at: FilePath(.document, "file"), Self.bytes)
        try mergeOther(0)
        try fleet.collect(0)
        while try engine(1).rowCount(of: "replica_wanted_files") == 0 {
            try #require(try fleet.deliver(from: 0, to: 1))
        }
        try engine(1).writeAttachment(Self.bytes)
        try fleet.collect(1)
        #expect(try engine(1).rowCount(of: "replica_wanted_files") == 0)
        try expectAnswer(of: 1)
    }

    @Test(arguments: [true, false]) func `a content from before the group comes from the device that stores it`(
        isDraft: Bool
    ) throws {
        let origin = try TemporaryStore()
        if isDraft {
            try origin.engine.write(.getOrCreateConversation(SessionID(trusted: "ann"), id: nil, displayName: nil))
            try origin.engine.write(
                .saveDraft(NewDraft(conversation: ann, content: DraftContent(text: "a"), attachments: [listed()])))
        } else {
            try origin.engine.write(
                .saveMessage(
                    NewMessage(
                        id: EntityID("m"), conversation: ann, text: "text", isOutgoing: true, isRead: true,
                        attachments: [listed()])))
        }
        let table = RecordTable()
        let archive = try origin.engine.archive(table)
        let fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: []) { store in
            try store.engine.restore(archive, table, .fillEmpty)
        }
        try fleet.devices[2].engine.writeAttachment(Self.bytes)
        try fleet.passAnswerTimes()
        for device in fleet.devices {
            let reader = device.engine.makeReader()
            let attachments =
                try isDraft ? reader.draft(in: ann)?.attachments : reader.message(EntityID("m"))?.attachments
            #expect(attachments?.first?.isStored == true)
        }
    }

    @Test func `a content that a file has or that was evicted can be named in a message`() throws {
        try engine(0).writeFile(at: FilePath(.document, "file"), Self.bytes)
        try fleet.settle()
        try save(0, "m", [listed()])
        try fleet.settle()
        #expect(try content(0, "m") == Self.bytes)
        let other = ReplicaContentTests.bytes(400_000, 1)
        try evict("other source", other)
        try save(3, "kept", [listed(other)])
        try fleet.settle()
        #expect(try content(3, "kept") == other)
    }

    @Test func `a draft whose attachment was evicted does not bring it back with each change`() throws {
        for device in 3...4 {
            try fleet.addStore(attachmentCacheBytesMax: 10)
            try fleet.join(device, by: 0)
        }
        try engine(0).writeAttachment(Self.bytes)
        for number in 0..<5 {
            let attachment = try AttachmentStore.known(Self.bytes, source: "there")
            try engine(0).write(
                .saveDraft(
                    NewDraft(conversation: ann, content: DraftContent(text: "\(number)"), attachments: [attachment])))
            try fleet.settle()
            for device in 3...4 { try engine(device).writer.waitForRemovals() }
        }
        try fleet.passAnswerTimes(Array(0...4))
        #expect(try fleet.pieceCount(toldBy: 0) + fleet.pieceCount(toldBy: 1) + fleet.pieceCount(toldBy: 2) == 2)
        #expect(try engine(3).makeReader().draft(in: ann)?.attachments.first?.isStored == false)
    }

    @Test func `an evicted content is not sent again with each change of its message`() throws {
        try evict("m")
        try react(1, to: "m")
        try fleet.settle()
        try fleet.passAnswerTimes(Array(0...3))
        #expect(try fleet.pieceCount(toldBy: 0) + fleet.pieceCount(toldBy: 1) + fleet.pieceCount(toldBy: 2) == 2)
        #expect(try content(3, "m") == nil)
    }

    @Test func `a content that was stored here before it arrived is sent on request`() throws {
        try engine(0).writeAttachment(Self.bytes)
        try saveLarge(1, "m", Self.bytes)
        try fleet.collect(1)
        while try fleet.deliver(from: 1, to: 0) {}
        #expect(try content(0, "m") == Self.bytes)
        try expectAnswer(of: 0)
    }

    @Test func `a content that nothing needs any more is forgotten`() throws {
        try tellRecordFirst()
        try engine(1).write(.deleteMessages([EntityID("m")]))
        try fleet.collect(1)
        try fleet.passAnswerTimes([1])
        #expect(try engine(1).missingContents().isEmpty)
    }
}

extension StoreEngine {
    /// Returns true if a content in the vault is marked as incomplete.
    fileprivate func holdsStagedContents() throws -> Bool {
        try writer.perform { context throws(StoreError) in
            let rows = try context.openConnection().rows(Self.contentIDs)
            while try rows.next() {
                guard let id = ContentID(rows.borrowedBytes(0)) else { throw ReplicaTables.damaged }
                if context.caches.replica.vault.stagedIDs.contains(id) { return true }
            }
            return false
        }
    }

    private static let contentIDs = StatementText("SELECT id FROM file_contents WHERE id IS NOT NULL")
}
