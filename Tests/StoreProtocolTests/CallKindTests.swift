import Testing

@testable import StoreProtocol

@Suite struct CallKindTests {
    @Test func `the kinds of calls are those of the proto files`() throws {
        let calls = RepositoryFiles.calls(in: try RepositoryFiles.protoText())
        #expect(calls.count == CallKind.allCases.count)
        for call in calls {
            #expect(CallKind(rawValue: call.number)?.name == call.name)
        }
    }
}
