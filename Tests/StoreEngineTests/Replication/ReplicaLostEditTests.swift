import Glibc
import ReplicaModel
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that every device keeps the text that loses if two devices change a text concurrently.
@Suite struct ReplicaLostEditTests: ReplicaFleetSuite {
    let fleet: ReplicaFleet

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
    }

    private static let bob = SessionID(trusted: "bob")

    /// The kind of text that two devices change.
    private enum Text: CaseIterable, CustomTestStringConvertible {
        case message, notes, draft

        var testDescription: String { "\(self)" }

        var place: LostEdit.Place {
            switch self {
            case .message: .message
            case .notes: .contactNotes
            case .draft: .draft
            }
        }

        var name: String {
            switch self {
            case .message: "m"
            case .notes: "bob"
            case .draft: "ann"
            }
        }

        func change(to text: String) throws -> Mutation {
            switch self {
            case .message: .editMessage(try EntityID("m"), text: text, editedAt: nil)
            case .notes: .saveContact(ContactUpdate(sessionID: bob, notes: text))
            case .draft:
                .saveDraft(
                    NewDraft(
                        conversation: .session(SessionID(trusted: "ann")), content: DraftContent(text: text),
                        attachments: []))
            }
        }

        /// Returns the request that deletes the message, the contact or the conversation that has the text.
        func deletion() throws -> Mutation {
            switch self {
            case .message: .deleteMessages([try EntityID("m")])
            case .notes: .deleteContact(bob)
            case .draft: .deleteConversation(.session(SessionID(trusted: "ann")))
            }
        }
    }

    private func change(_ device: Int, _ text: Text, to new: String) throws {
        try engine(device).write(text.change(to: new))
        try fleet.publish(device)
    }

    private func lost(_ device: Int) throws -> [LostEdit] {
        try fleet.reader(device).lostEdits(limit: 1_000, cursor: nil).edits
    }

    /// Gives all devices the same text. Then lets two devices change it without knowing the change of the other. The
    /// second change has the later stamp.
    private func changeConcurrently(_ text: Text, to first: String = "one", and second: String = "two") throws {
        try save(0, "m")
        try change(0, text, to: "before")
        try fleet.settle()
        try change(0, text, to: first)
        usleep(2_000)
        try change(1, text, to: second)
    }

    @Test(arguments: Text.allCases) private func `every device keeps the text that lost`(text: Text) throws {
        try changeConcurrently(text)
        try fleet.settle()
        for device in 0..<3 {
            let edits = try lost(device)
            #expect(edits.map(\.text) == ["one"], "device \(device)")
            #expect(edits.map(\.device) == [number(0)] && edits.map(\.place) == [text.place])
            #expect(edits.map(\.name) == [text.name])
            #expect(try fleet.status(device).lostEditCount == 1)
            try fleet.restart(device)
            #expect(try lost(device).map(\.text) == ["one"])
        }
    }

    @Test(arguments: Text.allCases) private func `the lost text is the same in every order of arrival`(text: Text)
        throws
    {
        try changeConcurrently(text)
        while try fleet.deliver(from: 1, to: 2) {}
        while try fleet.deliver(from: 0, to: 2) {}
        #expect(try lost(2).map(\.text) == ["one"])
    }

    @Test(arguments: Text.allCases) private func `changes that saw each other are not kept, in any order`(text: Text)
        throws
    {
        try save(0, "m")
        try change(0, text, to: "before")
        try fleet.settle()
        for round in 0..<3 {
            for device in 0..<2 {
                try change(device, text, to: "text \(round) of \(device)")
                while try fleet.deliver(from: device, to: 1 - device) {}
            }
        }
        while try fleet.deliver(from: 1, to: 2) {}
        try fleet.settle()
        for device in 0..<3 {
            #expect(try lost(device).map(\.text) == [], "device \(device)")
        }
    }

    @Test(arguments: Text.allCases) private func `several changes of one device count as one`(text: Text) throws {
        try save(0, "m")
        try change(0, text, to: "before")
        try fleet.settle()
        for round in 0..<3 {
            try change(0, text, to: "one \(round)")
            usleep(2_000)
            try change(1, text, to: "two \(round)")
        }
        try fleet.settle()
        for device in 0..<3 {
            #expect(try lost(device).map(\.text) == ["one 2"], "device \(device)")
        }
    }

    @Test(arguments: Text.allCases) private func `equal texts are not kept`(text: Text) throws {
        try changeConcurrently(text, to: "same", and: "same")
        try fleet.settle()
        #expect(try lost(0).isEmpty && lost(1).isEmpty && lost(2).isEmpty)
    }

    @Test(arguments: Text.allCases) private func `a lost text is deleted with what it belongs to`(text: Text) throws {
        try changeConcurrently(text)
        try fleet.settle()
        try engine(2).write(text.deletion())
        #expect(try lost(2).isEmpty && fleet.status(2).lostEditCount == 0)
        #expect(try engine(2).rowCount(of: "lost_edits") == 0)
        try fleet.settle()
        #expect(try engine(0).rowCount(of: "lost_edits") == 0)
    }

    @Test func `a lost text of a message is deleted with the message's conversation`() throws {
        try changeConcurrently(.message)
        try fleet.settle()
        try engine(2).write(.deleteConversation(ann))
        #expect(try lost(2).isEmpty && fleet.status(2).lostEditCount == 0)
        try fleet.settle()
        for device in 0..<3 { #expect(try engine(device).rowCount(of: "lost_edits") == 0, "device \(device)") }
    }

    @Test func `a draft that was sent on one device and changed on another is kept if the change is earlier`() throws {
        try change(0, .draft, to: "before")
        try fleet.settle()
        try change(0, .draft, to: "changed")
        usleep(2_000)
        try engine(1).write(.deleteDraft(ann))
        try fleet.settle()
        for device in 0..<3 { #expect(try lost(device).map(\.text) == ["changed"], "device \(device)") }
    }

    @Test func `a dismissed edit is gone, and dismissing it again changes nothing`() throws {
        try changeConcurrently(.message)
        try fleet.settle()
        let id = try #require(try lost(0).first).id
        try engine(0).dismissLostEdit(id)
        try engine(0).dismissLostEdit(id)
        #expect(try lost(0).isEmpty && lost(1).count == 1)
        try fleet.settle()
        #expect(try lost(0).isEmpty)
    }

    @Test func `a snapshot and the changes of a status keep no texts`() throws {
        try changeConcurrently(.message)
        try fleet.settle()
        for device in 0..<3 {
            for edit in try lost(device) { try engine(device).dismissLostEdit(edit.id) }
        }
        // If a device publishes the whole message again, this counts as no edit.
        try change(0, .message, to: "third")
        try engine(1).write(.markMessagesRead([EntityID("m")]))
        try fleet.settle()
        fleet.log.trim(keeping: 0)
        fleet.log.forget(.device(number(0)))
        try save(0, "later")
        try fleet.publish(0)
        try fleet.settle()
        for device in 0..<3 { #expect(try lost(device).isEmpty, "device \(device)") }
    }

    @Test func `a list has pages, and at most the newest thousand edits`() throws {
        try engine(0).writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                for number in 1...UInt64(LostEditRows.countMax + 5) {
                    let stamp = ReplicaStamp(time: HybridClock.time(atMilliseconds: number), device: 7)
                    try LostEditRows.keep("text \(number)", at: .contactNotes, "c\(number)", stamp, connection)
                }
            }
        }
        var (names, cursor) = (Set<String>(), String?.none)
        repeat {
            let page = try fleet.reader(0).lostEdits(limit: 300, cursor: cursor)
            names.formUnion(page.edits.map(\.name))
            cursor = page.nextCursor
        } while cursor != nil
        #expect(names.count == LostEditRows.countMax && !names.contains("c5") && names.contains("c6"))
    }

    @Test func `clearing the store deletes lost edits`() throws {
        try changeConcurrently(.notes)
        try fleet.settle()
        try engine(0).write(.clearAllDataLeavingGroup)
        #expect(try lost(0).isEmpty)
    }
}
