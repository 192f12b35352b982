import ReplicaModel
import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests tables that are replaced by empty ones when a store is cleared, its search index rebuilt or its group left.
/// The tests include copies of the database by a rotation, a backup and a restore, in which SQLite's own counters start
/// again.
@Suite struct ReplacedTablesTests {
    private enum Step: CaseIterable {
        case save, clear, createGroup, leaveGroup, rotate, restore, rebuildSearch, reopen, removeRows
    }

    private static let ann = ConversationReference.session(SessionID(trusted: "ann"))

    private func perform(_ step: Step, _ store: TemporaryStore, _ number: Int) throws {
        let engine = store.engine
        switch step {
        case .save:
            try engine.write(
                .saveMessage(NewMessage(id: EntityID("m\(number)"), conversation: Self.ann, text: "secret")))
            try engine.write(.saveContact(ContactUpdate(sessionID: SessionID("ann"), notes: "n\(number)")))
        case .clear:
            try engine.write(.clearAllDataLeavingGroup)
            let statistics = try engine.statistics()
            #expect(statistics.messageCount == 0 && statistics.contactCount == 0)
        case .createGroup where try engine.makeReader().replicaStatus() == nil:
            _ = try engine.createReplicaGroup(deviceName: ReplicaDeviceName("here"), selection: .everything)
        case .leaveGroup where try engine.makeReader().replicaStatus() != nil:
            try engine.leaveReplicaGroup()
            #expect(try engine.makeReader().replicaStatus() == nil)
        case .createGroup, .leaveGroup: break
        case .rotate: _ = try engine.rotateMasterKey { _ in }
        case .restore: try engine.restore(engine.backUp().name)
        case .rebuildSearch: try engine.rebuildSearchIndex()
        case .reopen: try store.reopen()
        case .removeRows: try engine.writer.waitForRemovals()
        }
    }

    private func perform(_ steps: [Step], in store: TemporaryStore) throws {
        for (number, step) in steps.enumerated() {
            do {
                try perform(step, store, number)
            } catch {
                Issue.record("\(error) after \(steps.prefix(number + 1))")
                throw error
            }
        }
        #expect(try expectClean(store.engine) == [], "after \(steps)")
    }

    @Test(arguments: [
        [Step.rotate, .clear, .rotate, .clear, .rotate, .clear],
        [.restore, .clear, .restore, .clear, .restore, .clear],
        [.createGroup, .rotate, .leaveGroup, .createGroup, .rotate, .leaveGroup, .clear],
        [.createGroup, .restore, .leaveGroup, .createGroup, .restore, .leaveGroup, .clear],
        [.rotate, .rebuildSearch, .rotate, .rebuildSearch, .clear],
    ])
    private func `tables are replaced again after each copy of the database`(steps: [Step]) throws {
        let store = try TemporaryStore()
        try perform(steps.flatMap { [.save, $0] }, in: store)
    }

    @Test(arguments: 0..<TestTier.count(4, long: 12))
    func `clears, groups, rotations and restores work in any order`(seed: Int) throws {
        var generator = SplitMix(seed: UInt64(seed))
        let steps = (0..<25).map { _ in Step.allCases.randomElement(using: &generator) ?? .save }
        try perform(steps + [.save, .clear, .createGroup, .leaveGroup], in: TemporaryStore())
    }

    /// Returns the findings of `check_store` after changes of the schema.
    private func findings(after statements: [String]) throws -> [String] {
        let store = try TemporaryStore()
        try perform([.save, .clear, .save], in: store)
        // All removals are done first. Otherwise background maintenance would remove a new table whose name looks like
        // the name of a cleared one.
        try store.engine.writer.waitForRemovals()
        try store.engine.writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                for statement in statements {
                    try mapped(connection.execute(statement))
                }
            }
        }
        return try expectClean(store.engine)
    }

    @Test func `leftover tables and lost indexes are found`() throws {
        let specimens = [
            ("CREATE TABLE strange (x)", "the table strange belongs to no part of the store"),
            ("CREATE TABLE cleared_1_strange (x)", "the table cleared_1_strange belongs to no part of the store"),
            ("CREATE VIEW v AS SELECT 1", "the view v belongs to no part of the store"),
            ("DROP INDEX messages_by_id", "the table messages has 0 indexes instead of 1"),
            (
                "CREATE INDEX contacts_2 ON contacts (notes)", "the table contacts has 2 indexes instead of 1"
            ),
            (
                "UPDATE store SET last_replacement = 0",
                "a table that clear_all_data renamed has a higher number than the last clearing"
            ),
        ]
        for (statement, finding) in specimens {
            #expect(try findings(after: [statement]).contains(finding), "\(statement)")
        }
    }
}
