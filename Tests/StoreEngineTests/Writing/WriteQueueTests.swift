import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct WriteQueueTests {
    @Test func `a check that the writer makes progress is refused while exclusive work is being done`() throws {
        var queue = WriteQueue()
        let isTakenBefore = queue.append(question: {})
        try queue.append(WriteQueue.Exclusive(turn: .next) { _ in })
        guard case .question = queue.next(), case .exclusive = queue.next() else {
            Issue.record("questions come first, then exclusive work")
            return
        }
        let isTakenMeanwhile = queue.append(question: {})
        _ = queue.next()
        let isTakenAfter = queue.append(question: {})
        #expect(isTakenBefore && !isTakenMeanwhile && isTakenAfter)
    }

    /// Checks that a request for pages during exclusive work is answered immediately, because that work may be waiting
    /// for the reader that makes the request.
    @Test func `a request for pages during exclusive work gets the outcome of the commit before it`() throws {
        for failure in [StoreError(.diskFull, "no room"), nil] {
            var queue = WriteQueue()
            try queue.append(WriteQueue.Exclusive(turn: .next) { _ in })
            guard case .commitPages = queue.next(hasUncommittedPages: true) else {
                Issue.record("pages are committed before")
                return
            }
            queue.recordPagesOutcome(failure.map { .failure($0) } ?? .success(()))
            guard case .exclusive = queue.next(hasUncommittedPages: true) else {
                Issue.record("once")
                return
            }
            guard let answer = queue.append(commitPages: { _ in }) else {
                Issue.record("exclusive work may wait for who asks")
                return
            }
            let answered: StoreError? = if case .failure(let error) = answer { error } else { nil }
            #expect(answered?.reason == failure?.reason)
        }
    }

    @Test func `unfinished work comes before later work of its connection`() throws {
        var queue = WriteQueue()
        let owner = WorkOwner(userID: 1, connection: 1)
        for number in 0..<3 {
            let mutation = Mutation.deleteLog(LogName(trusted: "\(number)"))
            try queue.append(WriteQueue.Write(request: WriteRequest(mutation, owner: owner)) { _ in })
        }
        func group() -> [WriteQueue.Item] {
            if case .group(let group) = queue.next() { group } else { [] }
        }
        func names(_ group: [WriteQueue.Item]) -> [String] {
            group.map { if case .deleteLog(let name) = $0.work.request.mutation { name.text } else { "" } }
        }
        let taken = group()
        #expect(names(taken) == ["0", "1", "2"])
        queue.putBack(notBegun: Array(taken.dropFirst()), unfinished: [taken[0]])
        #expect(names(group()) == ["0", "1", "2"])
    }

    /// Writes as pairs of user and number of rows, and the numbers of rows in each expected batch.
    static let groups: [([(UInt32, Int)], [[Int]])] = [
        ([(1, 1), (2, 2), (1, 3)], [[1, 2, 3]]),
        ([(1, 1), (2, 256)], [[1], [256]]),
        ([(1, 256), (2, 1)], [[1], [256]]),
        ([(1, 200), (1, 201)], [[200, 201]]),
        ([(1, 200), (1, 201), (2, 3)], [[3], [200, 201]]),
        ([(1, 256), (1, 255), (1, 254)], [[256, 255], [254]]),
    ]

    @Test(arguments: groups)
    func `a long write shares its commit with no write of another user`(writes: [(UInt32, Int)], expected: [[Int]])
        throws
    {
        var queue = WriteQueue()
        for (userID, rows) in writes {
            let ids = (0..<rows).map { EntityID(trusted: "\($0)") }
            let owner = WorkOwner(userID: userID, connection: 1)
            try queue.append(WriteQueue.Write(request: WriteRequest(.deleteMessages(ids), owner: owner)) { _ in })
        }
        var groups: [[Int]] = []
        while case .group(let group) = queue.next() {
            groups.append(group.map(\.work.request.mutation.rowCount))
        }
        #expect(groups == expected)
    }
}
