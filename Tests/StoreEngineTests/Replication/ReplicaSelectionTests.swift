import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that excluded content stays on its device, in whichever message a store publishes content.
@Suite struct ReplicaSelectionTests {
    private static let selection = ReplicaSelection(
        ["contacts:shown*", "conversations:shown*", "scenes:shown*", "files:document/shown*"]
            .compactMap(ReplicaSelection.Rule.init(text:)))
    private let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(
            deviceCount: 1, seed: 1, kinds: [], selection: try #require(Self.selection)
        ) { store in
            for word in ["shown", "hidden"] {
                try Self.fill(store.engine, word)
            }
        }
    }

    /// Saves an entity of every kind, whose name or content contains `word`.
    private static func fill(_ engine: StoreEngine, _ word: String) throws {
        let conversation = ConversationReference.session(try SessionID(word))
        try engine.write(.saveContact(ContactUpdate(sessionID: SessionID(word), displayName: "\(word) name")))
        try engine.writeAttachment(large(word))
        for (id, attachment) in [
            ("small", try AttachmentStore.attachment("\(word) content")),
            ("large", try AttachmentStore.known(large(word))),
        ] {
            try engine.write(
                .saveMessage(
                    NewMessage(
                        id: EntityID("\(word)-\(id)"), conversation: conversation, text: "\(word) text",
                        attachments: [attachment])))
        }
        try engine.write(
            .addReaction(
                ReactionReference(
                    messageID: EntityID("\(word)-small"), authorSessionID: SessionID("\(word)-author"),
                    emoji: Emoji("👍"))))
        try engine.write(
            .saveDraft(
                NewDraft(
                    conversation: conversation, content: DraftContent(text: "\(word) draft"),
                    attachments: [AttachmentStore.attachment("\(word) content of a draft")])))
        try engine.write(
            .setSceneValues(
                .sceneOnly(SceneName(word)), [SceneChange(key: SceneKey("\(word)-key"), value: Array(word.utf8))],
                conditions: []))
        try engine.write(.saveFile(path("\(word)/file"), Array("\(word) file".utf8), createsParents: true))
        try saveLarge(engine, "\(word)/large")
    }

    private static func path(_ text: String) throws -> FilePath { try FilePath(.document, text) }

    /// Returns a content that is too large for the record that refers to it.
    private static func large(_ word: String) -> [UInt8] {
        Array(String(repeating: "\(word) ", count: 20_000).utf8)
    }

    private static func saveLarge(_ engine: StoreEngine, _ text: String) throws {
        try engine.writeFile(at: path(text), large(text))
    }

    /// Checks that the published messages contain every word of selected content and no word of excluded content.
    private func expectNothingHiddenTold(_ hidden: [String] = ["hidden"]) throws {
        let told = try fleet.plaintexts()
        func holds(_ bytes: [UInt8]) -> Bool { told.contains { $0.holds(bytes) } }
        #expect(hidden.filter { holds(Array($0.utf8)) } == [])
        for text in ["text", "name", "content", "draft", "content of a draft", "file"] {
            #expect(holds(Array("shown \(text)".utf8)))
        }
        for contents in [Self.large("hidden"), Self.large("hidden/large"), Array("hidden content".utf8)] {
            #expect(try !holds(AttachmentStore.digest(contents).bytes))
        }
        #expect(try holds(AttachmentStore.digest(Self.large("shown")).bytes))
        for index in fleet.devices.indices.dropFirst() {
            let lines = try fleet.content(index).filter { !$0.contains("hidden-own") }
            #expect(lines.filter { $0.contains("hidden") } == [])
            #expect(lines.contains { $0.contains("shown-large") })
            #expect(try expectClean(fleet.devices[index].engine) == [])
        }
    }

    private func join() throws {
        try fleet.addStore()
        try fleet.join(fleet.devices.count - 1, by: 0)
        try fleet.settle()
    }

    @Test func `snapshots and the content of a joining store contain only selected entities`() throws {
        try fleet.addStore()
        try Self.fill(fleet.devices[1].engine, "hidden-own")
        try Self.fill(fleet.devices[1].engine, "shown-own")
        try fleet.join(1, by: 0)
        try fleet.settle()
        try expectNothingHiddenTold()
        #expect(try fleet.content(0).contains { $0.contains("shown-own-large") })
        #expect(try fleet.content(0).allSatisfy { !$0.contains("hidden-own") })
        #expect(try fleet.content(1).contains { $0.contains("hidden-own-large") })
    }

    @Test func `changes contain only selected entities and nothing of the others`() throws {
        try join()
        let engine = fleet.devices[0].engine
        for word in ["shown", "hidden"] {
            try engine.write(.editMessage(EntityID("\(word)-small"), text: "\(word) text, edited", editedAt: nil))
            try engine.write(.markMessagesRead([EntityID("\(word)-large")]))
            try engine.write(.moveFile(Self.path("\(word)"), to: Self.path("\(word)-moved")))
            try Self.fill(engine, word)
        }
        try fleet.settle()
        try expectNothingHiddenTold()
        let hidden = ConversationReference.session(try SessionID("hidden"))
        try engine.write(.deleteMessages([EntityID("hidden-large")]))
        try fleet.settle()
        try expectNothingHiddenTold()
        try engine.write(.deleteConversation(hidden))
        try engine.write(.deleteContact(SessionID("hidden")))
        try engine.write(.removeDirectory(Self.path("hidden"), withChildren: true))
        try fleet.settle()
        try expectNothingHiddenTold()
        // A message is saved again, before or after its conversation's old rows are removed.
        try engine.write(
            .saveMessage(
                NewMessage(
                    id: EntityID("hidden-small"), conversation: .session(SessionID("hidden")), text: "hidden text")))
        try engine.write(.deleteConversation(hidden))
        try engine.write(
            .saveMessage(
                NewMessage(
                    id: EntityID("hidden-small"), conversation: .session(SessionID("hidden")), text: "hidden text")))
        try fleet.settle()
        try expectNothingHiddenTold()
    }

    @Test func `no member can change entities that are not selected`() throws {
        let puppet = try ReplicaPuppet(fleet)
        let before = try fleet.content(0)
        let stamp = ReplicaStamp(time: HybridClock.time(atMilliseconds: 1_900_000_000_000), device: puppet.number)
        let reaction = ThingName(.reaction, "hidden-small", "0", "hidden-author", "👍")
        let records: [ReplicaRecord] = [
            .message(MessageRecord(id: "hidden-small", generation: 9, content: nil)),
            .thing(ThingRecord(name: reaction, fields: [FieldRecord(field: .value, stamp: stamp, value: nil)])),
            .thing(
                ThingRecord(
                    name: ThingName(.sceneValue, "hidden", "hidden-key"),
                    fields: [FieldRecord(field: .value, stamp: stamp, value: nil)])),
        ]
        #expect(try puppet.tell(records, to: 0) == .merged(nextSequence: 2))
        #expect(try fleet.content(0) == before)
    }
}
