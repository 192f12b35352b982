import Testing

@testable import StoreEngine

@Suite struct WriteQueueTests {
    @Test func `a question is refused from the moment exclusive work is handed out until the next is asked for`() throws
    {
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

    @Test func `what is not finished stands before what came after it over its connection`() throws {
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
        queue.putBack(notBegun: Array(taken[1...]), unfinished: [taken[0]])
        #expect(names(group()) == ["0", "1", "2"])
    }
}
