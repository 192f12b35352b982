import SQLCipher
import StoreBasics

@testable import StoreEngine

/// A comparison of a store with a twin that does the same work once, without an interruption.
struct TwinComparison {
    private struct Side {
        let hand: WriterInHand
        let rows: RowPrint
        /// Names that replace the random ids of conversations.
        var names: [String: String] = [:]

        init(_ hand: WriterInHand) throws {
            self.hand = hand
            rows = try RowPrint(try hand.context.openConnection(), isComparable: true)
        }

        /// Gives every existing conversation a name from its number.
        mutating func learnNames() throws {
            let rows = try hand.context.openConnection().rows(TwinComparison.conversations)
            while try rows.next() {
                names[try rows.text(1)] = "conversation \(rows.integer(0))"
            }
        }

        func takeRows() throws -> [String: String] {
            var rows = try rows.take()
            for (id, name) in names {
                rows["conversations"]?.replace(id, with: name)
                // Ids also occur in stored answers, in hexadecimal.
                rows["idempotency_keys"]?.replace(Hexadecimal.encode(Array(id.utf8)).uppercased(), with: name)
            }
            return rows
        }
    }

    private var failing: Side
    private var twin: Side

    init(_ failing: WriterInHand, _ twin: WriterInHand) throws {
        self.failing = try Side(failing)
        self.twin = try Side(twin)
        // The WAL of one store may contain content that was removed before the test. If only that store emptied its WAL
        // during the test, the stores would differ. So neither store empties its WAL.
        for hand in [failing, twin] {
            hand.context.walEmptyingDue = nil
        }
    }

    /// Lets the twin do the work that the other store has done. Before each work, the twin forgets everything in
    /// memory. Returns the differences between the reports of both stores.
    mutating func findings(behind works: [FailedWork]) throws -> [String] {
        for work in works {
            try twin.hand.forget()
            try work.perform(twin.hand)
        }
        let told = (try failing.hand.told(), try twin.hand.told())
        try failing.learnNames()
        try twin.learnNames()
        var findings = told.0.renaming(failing.names).differences(from: told.1.renaming(twin.names))
        findings += RowPrint.differences(try failing.takeRows(), try twin.takeRows())
        let contexts = (failing.hand.context, twin.hand.context)
        if contexts.1.hasRowsToRemove && !contexts.0.hasRowsToRemove {
            findings.append("rows to remove are forgotten")
        }
        if contexts.1.walEmptyingDue != nil && contexts.0.walEmptyingDue == nil {
            findings.append("removed content in the log is forgotten")
        }
        if contexts.1.searchBacklog.hasWork && !contexts.0.searchBacklog.hasWork {
            findings.append("work on the search index is forgotten")
        }
        return findings.map { "unlike its twin: \($0)" }
    }

    private static let conversations = StatementText("SELECT number, id FROM conversations WHERE length(id) = 36")
}
