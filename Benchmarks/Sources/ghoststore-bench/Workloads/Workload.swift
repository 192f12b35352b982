import FoundationEssentials
import StoreBasics
import StoreProtocol

/// The requests that a loop sends.
protocol Workload {
    /// The names of the kinds of requests, each of which has its own histogram.
    var kinds: [String] { get }
    /// The size of the longest frame that `makeRequest` writes.
    var requestBytesMax: Int { get }

    /// Writes the next request of a client. The hot loop calls it, so it must not allocate memory.
    mutating func makeRequest(
        client: Int, requestID: UInt32, into buffer: UnsafeMutableRawBufferPointer
    ) -> PreparedRequest
}

struct PreparedRequest {
    let byteCount: Int
    /// The index of the request's kind in `Workload.kinds`.
    let kind: Int
    /// The field number of the result that means success.
    let expectedResult: UInt32
}

/// Sends the same kind of request repeatedly: either identical requests, or each about a random entity, with the same
/// probability for all entities.
struct RepeatedWorkload: Workload {
    let kinds: [String]
    private let template: RequestTemplate
    private let expectedResult: UInt32
    private let entityCount: Int
    private let entity: (Int) -> UUIDv7?
    private var random = SplitMix(seed: 1)

    /// - Parameters:
    ///   - call: the call of the request. Its result has the same field number.
    ///   - entityCount: the number of entities that the requests are about, at least 1.
    ///   - entity: returns the id of the entity with a number, or `nil` if the request contains no id.
    ///   - fill: sets the call of the request, with `RequestTemplate.Placeholder.first` for the entity.
    init(
        _ kind: String, _ call: CallKind, about entityCount: Int = 1,
        _ entity: @escaping (Int) -> UUIDv7? = { _ in nil }, _ fill: (inout WireRequest) -> Void
    ) throws(BenchError) {
        precondition(entityCount > 0)
        kinds = [kind]
        template = try RequestTemplate(fill)
        expectedResult = call.rawValue
        self.entityCount = entityCount
        self.entity = entity
    }

    var requestBytesMax: Int { template.byteCount }

    @inline(__always)
    mutating func makeRequest(
        client: Int, requestID: UInt32, into buffer: UnsafeMutableRawBufferPointer
    ) -> PreparedRequest {
        let number = Int(random.next() % UInt64(entityCount))
        let byteCount = template.write(requestID: requestID, first: entity(number), to: buffer)
        return PreparedRequest(byteCount: byteCount, kind: 0, expectedResult: expectedResult)
    }
}

extension RepeatedWorkload {
    private static let placeholder = RequestTemplate.Placeholder.first

    /// Gets single preloaded messages.
    static func get(_ dataSet: DataSet) throws(BenchError) -> RepeatedWorkload {
        try RepeatedWorkload("get", .getMessage, about: dataSet.messageCount, dataSet.messageID) {
            $0.getMessage.id = placeholder
        }
    }

    static let listLimit = 100

    /// Lists the newest 100 messages of preloaded conversations.
    static func list(_ dataSet: DataSet) throws(BenchError) -> RepeatedWorkload {
        try RepeatedWorkload("list-100", .listMessages, about: dataSet.conversationCount, dataSet.conversationID) {
            $0.listMessages = listRequest(placeholder)
        }
    }

    static func listRequest(_ conversationID: String) -> WireListMessagesRequest {
        var request = WireListMessagesRequest()
        request.conversation.id = conversationID
        request.limit = UInt32(listLimit)
        return request
    }

    static func sceneGet(_ dataSet: DataSet) throws(BenchError) -> RepeatedWorkload {
        try RepeatedWorkload("scene-get", .getSceneValues, about: SampleScenes.count, dataSet.sceneName) {
            $0.getSceneValues.scene = placeholder
            $0.getSceneValues.keys = [SampleScenes.key]
        }
    }

    /// Gets the store's counters.
    static func statistics() throws(BenchError) -> RepeatedWorkload {
        try RepeatedWorkload("statistics", .getStatistics) { $0.getStatistics = WireGetStatisticsRequest() }
    }

    /// Appends one message to the log that all clients share. The request does not contain the log's configuration, so
    /// the daemon does not compare it.
    static func append() throws(BenchError) -> RepeatedWorkload {
        try RepeatedWorkload("append", .appendLog) {
            $0.appendLog.name = SampleLog.name
            $0.appendLog.messages = [Data(repeating: 0x78, count: SampleLog.messageBytes)]
        }
    }
}
