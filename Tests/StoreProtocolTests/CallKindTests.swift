import Testing

@testable import StoreProtocol

@Suite struct CallKindTests {
    @Test func `kinds are the calls of the contract`() throws {
        let calls = RepositoryFiles.calls(in: try RepositoryFiles.protoText())
        #expect(calls.count == CallKind.allCases.count)
        for call in calls {
            #expect(CallKind(rawValue: call.number)?.name == call.name)
        }
    }
}
