import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct MessagePlaceTests {
    @Test(arguments: [
        "SELECT text FROM \(MessagePlace.table)", "UPDATE \(MessagePlace.table) SET status = 1",
        "DELETE FROM \(MessagePlace.table)",
    ])
    func `a message is found by its position with the primary key alone`(statement: String) throws {
        let steps = try Self.plan(of: "\(statement) WHERE \(MessagePlace.condition)")
        #expect(steps.count == 1)
        #expect(steps.filter(Self.isByPlace).count == 1)
    }

    @Test(arguments: [
        """
        SELECT m.text FROM conversations AS c LEFT JOIN \(MessagePlace.joinedTable)
        ON m.conversation = c.number AND m.timestamp = c.last_message_at AND m.id = c.last_message_id
        """,
        """
        SELECT m.text FROM attachments AS a CROSS JOIN \(MessagePlace.joinedTable)
        ON m.conversation = a.conversation AND m.timestamp = a.timestamp AND m.id = a.message
        """,
    ])
    func `a join finds a message by its position with the primary key alone`(statement: String) throws {
        let steps = try Self.plan(of: statement)
        #expect(steps.count == 2)
        #expect(steps.filter(Self.isByPlace).count == 1)
    }

    private static func isByPlace(_ step: String) -> Bool {
        step.contains("USING PRIMARY KEY (conversation=? AND timestamp=? AND id=?)")
    }

    /// Returns the query plan of a statement.
    ///
    /// - Parameter statement: a statement whose parameters, if any, are the position of a message.
    private static func plan(of statement: String) throws -> [String] {
        let store = try TemporaryStore()
        return try store.engine.writer.perform { context throws(StoreError) in
            let text = StatementText("EXPLAIN QUERY PLAN \(statement)")
            let connection = try context.openConnection()
            let rows =
                statement.contains("?1")
                ? try connection.rows(text, Int64(1), Int64(1), "id") : try connection.rows(text)
            var steps: [String] = []
            while try rows.next() {
                steps.append(try rows.text(3))
            }
            return steps
        }
    }
}
