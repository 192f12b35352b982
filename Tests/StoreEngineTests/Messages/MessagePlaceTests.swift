import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct MessagePlaceTests {
    @Test(arguments: [
        "SELECT text FROM \(MessagePlace.table)", "UPDATE \(MessagePlace.table) SET status = 1",
        "DELETE FROM \(MessagePlace.table)",
    ])
    func `a message is found by its place through the key alone`(statement: String) throws {
        let store = try TemporaryStore()
        let plan = try store.engine.writer.perform { context throws(StoreError) in
            let text = StatementText("EXPLAIN QUERY PLAN \(statement) WHERE \(MessagePlace.condition)")
            let rows = try context.openConnection().rows(text, Int64(1), Int64(1), "id")
            var steps: [String] = []
            while try rows.next() {
                steps.append(try rows.text(3))
            }
            return steps
        }
        #expect(plan.count == 1)
        #expect(plan.first?.contains("USING PRIMARY KEY (conversation=? AND timestamp=? AND id=?)") == true)
    }
}
