import Testing

@testable import StoreServer

@Suite struct LoopActivityTests {
    private func activity(_ requests: [(ConnectionID, Bool)]) -> Bool {
        var activity = LoopActivity()
        for (connection, isWrite) in requests {
            activity.recordRequest(connection, isWrite: isWrite)
        }
        return activity.isOfOneWriter
    }

    @Test func `a connection is the only writer if it alone sent many requests and all are writes`() {
        let many = [(ConnectionID, Bool)](repeating: (1, true), count: 20)
        #expect(activity(many))
        #expect(!activity(Array(many.prefix(3))))
        #expect(!activity(many + [(2, true)]))
        #expect(!activity(many + [(2, false)]))
        #expect(!activity(many + [(1, false)]))
        #expect(!activity(many + [(1, false), (1, true)]))
        #expect(!activity((0..<40).map { (ConnectionID($0 % 2), true) }))
        #expect(!activity([]))
    }
}
