import Glibc
import ReplicaModel
import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct ReplicaMergeTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
    }

    private func write(_ device: Int, _ mutation: Mutation) throws {
        try fleet.devices[device].engine.write(mutation)
    }

    private func settle() throws {
        try fleet.settle()
        let first = try fleet.content(0)
        for index in fleet.devices.indices.dropFirst() {
            #expect(try fleet.content(index) == first)
        }
    }

    private func contact(_ device: Int, _ session: String = "ann") throws -> Contact? {
        try fleet.reader(device).contact(SessionID(session), includeAvatar: true)
    }

    @Test func `changes of different fields of a contact are both kept, and of one field the later one`() throws {
        try write(0, .saveContact(ContactUpdate(sessionID: SessionID("ann"), displayName: "Ann")))
        try settle()
        try write(0, .saveContact(ContactUpdate(sessionID: SessionID("ann"), displayName: "Anna")))
        try write(1, .saveContact(ContactUpdate(sessionID: SessionID("ann"), notes: "from school")))
        // Stamps count milliseconds, so the next change gets a later stamp than the changes before.
        usleep(5_000)
        try write(2, .saveContact(ContactUpdate(sessionID: SessionID("ann"), displayName: "Ann B.")))
        // A change gets its time when it is collected.
        try fleet.collect(0)
        try fleet.collect(2)
        try settle()
        #expect(try contact(1)?.displayName == "Ann B.")
        #expect(try contact(0)?.notes == "from school")
    }

    @Test func `changes of kind and metadata of a conversation are both kept, and of metadata the later one`() throws {
        func update(_ device: Int, _ update: ConversationUpdate) throws {
            try write(device, .updateConversation(ann, update))
        }
        let longest = try Metadata(
            data: [UInt8](repeating: 7, count: EngineLimits.metadataBytesMax), type: "application/json")
        try save(0, "a")
        try settle()
        try update(0, ConversationUpdate(metadata: Metadata(data: [1], type: "")))
        try update(1, ConversationUpdate(kind: "group"))
        try fleet.collect(0)
        usleep(5_000)
        try update(2, ConversationUpdate(metadata: longest))
        try fleet.collect(2)
        try settle()
        for device in 0..<3 {
            let merged = try #require(try fleet.reader(device).conversation(ann, includeAvatar: false))
            #expect(merged.kind == "group" && merged.metadata == longest)
        }
        try update(1, ConversationUpdate(kind: "", metadata: Metadata(data: [], type: "")))
        try settle()
        for device in 0..<3 {
            let merged = try #require(try fleet.reader(device).conversation(ann, includeAvatar: false))
            #expect(merged.kind == nil && merged.metadata == nil)
        }
    }

    @Test func `members that devices add at the same time all stay, and of one member the later value`() throws {
        func set(_ device: Int, _ ids: String..., name: String = "") throws {
            let members = try ids.map { ConversationMember(sessionID: try SessionID($0), name: name, role: "r") }
            try write(device, .setMembers(ann, members))
        }
        func members(_ device: Int) throws -> [String] {
            try fleet.reader(device).members(of: ann, limit: 100, cursor: nil).members.map {
                "\($0.sessionID.text) \($0.name)"
            }
        }
        try save(0, "a")
        try settle()
        try set(0, "m1", "both")
        try set(1, "m2", "both", name: "earlier")
        try fleet.collect(0)
        try fleet.collect(1)
        usleep(5_000)
        try set(2, "both", "m3", name: "later")
        try settle()
        for device in 0..<3 {
            #expect(try members(device) == ["both later", "m1 ", "m2 earlier", "m3 later"])
        }
        try write(1, .removeMembers(ann, [SessionID("m1"), SessionID("m3")]))
        try settle()
        #expect(try members(0) == ["both later", "m2 earlier"])
        // The removal of the conversation also removes its members, except members that are added later.
        try write(0, .deleteConversation(ann))
        try settle()
        #expect(try fleet.reader(1).conversation(ann, includeAvatar: false) == nil)
        try write(2, .getOrCreateConversation(SessionID("ann"), id: nil, displayName: nil))
        try set(2, "m4")
        try settle()
        for device in 0..<3 {
            #expect(try members(device) == ["m4 "])
        }
    }

    @Test func `a member that is added while another device deletes the conversation keeps it, everywhere or nowhere`()
        throws
    {
        try save(0, "a")
        try settle()
        try write(0, .deleteConversation(ann))
        try fleet.collect(0)
        usleep(5_000)
        try write(1, .setMembers(ann, [ConversationMember(sessionID: SessionID("late"))]))
        try settle()
        #expect(try fleet.reader(0).members(of: ann, limit: 10, cursor: nil).members.map(\.sessionID.text) == ["late"])
        #expect(try message(1, "a") == nil)
    }

    @Test func `two conversations that were created for one session id become one`() throws {
        try save(0, "a")
        try save(1, "b")
        try settle()
        let page = try fleet.reader(2).conversations(ConversationQuery())
        #expect(page.conversations.map(\.messageCount) == [2])
    }

    @Test func `a change of the Unicode normal form alone is replicated in every text`() throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        let alice = ConversationReference.session(try SessionID("alice"))
        func change(to text: String) throws {
            try write(
                0,
                .saveMessage(
                    NewMessage(
                        id: EntityID("a"), conversation: alice, text: text, senderSessionID: text,
                        recipientSessionID: text, attachmentURL: text, attachmentType: text, kind: text,
                        senderName: text, metadata: Metadata(data: [1], type: text)), clearsDraft: false))
            try write(
                0,
                .saveContact(
                    ContactUpdate(
                        sessionID: SessionID("ann"), displayName: text, notes: text,
                        metadata: Metadata(data: [1], type: text))))
            try write(
                0,
                .updateConversation(
                    alice, ConversationUpdate(displayName: text, kind: text, metadata: Metadata(data: [1], type: text)))
            )
            try write(0, .saveDraft(NewDraft(conversation: alice, content: DraftContent(text: text))))
            try settle()
        }
        try change(to: composed)
        try change(to: decomposed)
        for device in 0..<3 {
            let content = try fleet.content(device).map { Array($0.utf8) }
            #expect(!content.contains { $0.contains(Array(composed.utf8)) })
            #expect(content.count { $0.contains(Array(decomposed.utf8)) } == 4)
        }
    }

    @Test func `a message that a device has deleted does not come back, whatever others do to it`() throws {
        try save(0, "a")
        try settle()
        try write(0, .deleteMessages([EntityID("a")]))
        try write(1, .editMessage(EntityID("a"), text: "edited", editedAt: nil))
        try write(
            2,
            .addReaction(
                ReactionReference(
                    messageID: EntityID("a"), authorSessionID: SessionID("bob"), emoji: Emoji("👍"))))
        try settle()
        for device in 0..<3 {
            #expect(try message(device, "a") == nil)
        }
        // The message also stays deleted if a device that does not know about the deletion saves it again.
        try save(0, "b")
        try write(0, .deleteMessages([EntityID("b")]))
        try save(1, "b")
        try settle()
        #expect(try message(1, "b") == nil)
    }

    @Test func `a message that its deleter saves again is present everywhere`() throws {
        try save(0, "a", text: "old", isRead: true)
        try settle()
        try write(0, .deleteMessages([EntityID("a")]))
        try save(0, "a", text: "new")
        try settle()
        #expect(try message(2, "a")?.text == "new")
        #expect(try message(2, "a")?.isRead == false)
        try write(1, .deleteConversation(ann))
        try save(1, "a", text: "newest")
        try settle()
        #expect(try message(0, "a")?.text == "newest")
    }

    @Test func `deleting a conversation deletes the messages that the device knew, and keeps later ones of others`()
        throws
    {
        for number in 0..<300 {
            try save(0, "old \(number)")
        }
        try settle()
        try write(1, .deleteConversation(ann))
        try save(2, "meanwhile")
        try settle()
        let page = try fleet.reader(0).messages(MessageQuery(conversation: ann))
        #expect(page.messages.map(\.id.text) == ["meanwhile"])
        try write(0, .deleteConversation(ann))
        try settle()
        #expect(try fleet.reader(2).conversations(ConversationQuery()).conversations == [])
    }

    @Test func `a status only goes forward unless an application sets it back, and read stays read`() throws {
        try save(0, "a")
        try settle()
        try write(0, .updateMessageStatus([EntityID("a")], .delivered))
        try write(1, .updateMessageStatus([EntityID("a")], .sent))
        try write(2, .markMessagesRead([EntityID("a")]))
        try settle()
        #expect(try message(2, "a")?.status == .delivered)
        #expect(try message(0, "a")?.isRead == true)
        try write(1, .updateMessageStatus([EntityID("a")], .pending))
        try settle()
        #expect(try message(0, "a")?.status == .pending)
    }

    @Test func `the later of two edits counts, even if its own editing time is earlier`() throws {
        try save(0, "a")
        try settle()
        try write(0, .editMessage(EntityID("a"), text: "first", editedAt: nil))
        try fleet.collect(0)
        try write(1, .editMessage(EntityID("a"), text: "second", editedAt: Timestamp(microseconds: 5)))
        try settle()
        #expect(try message(0, "a")?.text == "second")
    }

    @Test func `contacts that were given the same id both stay, one with another id`() throws {
        try write(0, .saveContact(ContactUpdate(sessionID: SessionID("ann"), id: EntityID("1"), displayName: "Ann")))
        try write(1, .saveContact(ContactUpdate(sessionID: SessionID("bob"), id: EntityID("1"), displayName: "Bob")))
        try settle()
        #expect(try contact(2, "ann")?.id.text == "1")
        #expect(try contact(2, "bob")?.displayName == "Bob")
    }

    @Test func `a draft is replaced, removed, and deleted with its conversation`() throws {
        try write(0, .saveDraft(NewDraft(conversation: ann, content: DraftContent(text: "hal"))))
        try settle()
        try write(1, .saveDraft(NewDraft(conversation: ann, content: DraftContent(text: "hallo"))))
        try settle()
        #expect(try fleet.reader(2).draft(in: ann)?.content.text == "hallo")
        try write(0, .deleteConversation(ann))
        try settle()
        #expect(try fleet.reader(2).conversations(ConversationQuery()).conversations == [])
    }

    @Test func `content from before a store joined is older than any change in the group`() throws {
        try write(0, .saveContact(ContactUpdate(sessionID: SessionID("ann"), displayName: "new name")))
        try fleet.addStore()
        let update = try ContactUpdate(sessionID: SessionID("ann"), displayName: "old name", notes: "old notes")
        try write(3, .saveContact(update))
        // By the clock this name is later than the name in store 3, which belongs to no group yet.
        try write(0, .saveContact(ContactUpdate(sessionID: SessionID("ann"), displayName: "newest name")))
        try fleet.join(3, by: 1)
        try settle()
        #expect(try contact(3)?.displayName == "newest name")
        #expect(try contact(0)?.notes == "old notes")
    }

    @Test func `changes that are not published yet are not compacted`() throws {
        try save(0, "a")
        try write(0, .compactChanges(throughRevision: .max))
        try settle()
        #expect(try message(1, "a") != nil)
    }

    @Test func `a store in a group is cleared only with the call that leaves the group`() throws {
        let engine = fleet.devices[0].engine
        try save(0, "a")
        try settle()
        #expect(reason { try write(0, .clearAllData) } == .storeInReplicaGroup)
        #expect(try message(0, "a") != nil && engine.makeReader().replicaStatus() != nil)
        let key = try IdempotencyKey("clear and leave")
        for isReplayed in [false, true] {
            guard case .commit(let commit) = try engine.write(.clearAllDataLeavingGroup, key: key) else { return }
            #expect(commit.leftReplicaGroup && commit.isReplayed == isReplayed && commit.deletedCount > 0)
        }
        #expect(try engine.makeReader().replicaStatus() == nil)
        #expect(try message(0, "a") == nil && message(1, "a") != nil)
        // Without a group this is an ordinary clear.
        guard case .commit(let commit) = try engine.write(.clearAllDataLeavingGroup) else { return }
        #expect(!commit.leftReplicaGroup)
    }

    @Test func `an empty store can also be cleared with the call that leaves the group`() throws {
        let empty = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
        let engine = empty.devices[1].engine
        #expect(reason { try engine.write(.clearAllData) } == .storeInReplicaGroup)
        guard case .commit(let commit) = try engine.write(.clearAllDataLeavingGroup) else { return }
        #expect(commit.leftReplicaGroup && commit.deletedCount == 0)
        #expect(try engine.makeReader().replicaStatus() == nil)
    }
}
