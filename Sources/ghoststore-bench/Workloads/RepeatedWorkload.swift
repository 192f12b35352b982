internal import StoreBasics
import StoreClient

/// Sends one kind of request again and again: the same each time, or each about one of some entities, with the same
/// probability for all.
struct RepeatedWorkload: Workload {
    let kinds: [String]
    private let template: RequestTemplate
    private let expectedResult: UInt32
    private let entityCount: Int
    private let entity: (Int) -> UUIDv7?
    private var random = SplitMix(seed: 1)

    /// - Parameters:
    ///   - make: the frame for a request id, with `RequestTemplate.Placeholder.first` for the entity.
    ///   - entityCount: at least 1.
    ///   - entity: the id of the numbered entity; `nil` where the request names none.
    init(
        _ kind: String, expecting expectedResult: UInt32, about entityCount: Int = 1,
        _ entity: @escaping (Int) -> UUIDv7? = { _ in nil }, _ make: (UInt64) -> [UInt8]
    ) {
        precondition(entityCount > 0)
        kinds = [kind]
        template = RequestTemplate(make)
        self.expectedResult = expectedResult
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
    /// Gets single messages of the preloaded ones.
    static func get(_ dataSet: DataSet) -> RepeatedWorkload {
        RepeatedWorkload(
            "get", expecting: ResultField.message, about: dataSet.messageCount, dataSet.messageID
        ) { BenchFrames.getMessage(requestID: $0, messageID: RequestTemplate.Placeholder.first) }
    }

    static let listLimit = 100

    /// Lists the newest 100 messages of the preloaded conversations.
    static func list(_ dataSet: DataSet) -> RepeatedWorkload {
        RepeatedWorkload(
            "list-100", expecting: ResultField.messages, about: dataSet.conversationCount, dataSet.conversationID
        ) {
            BenchFrames.listMessages(
                requestID: $0, conversationID: RequestTemplate.Placeholder.first, limit: listLimit)
        }
    }

    /// Gets the key of the sample scenes.
    static func sceneGet(_ dataSet: DataSet) -> RepeatedWorkload {
        RepeatedWorkload(
            "scene-get", expecting: ResultField.sceneValues, about: SampleScenes.count, dataSet.sceneName
        ) {
            BenchFrames.getSceneValue(
                requestID: $0, scene: RequestTemplate.Placeholder.first, key: SampleScenes.key)
        }
    }

    /// Gets the store's counters.
    static var statistics: RepeatedWorkload {
        RepeatedWorkload("statistics", expecting: ResultField.statistics) { BenchFrames.getStatistics(requestID: $0) }
    }

    /// Appends one message to the log that all clients share.
    static var append: RepeatedWorkload {
        RepeatedWorkload("append", expecting: ResultField.appendLog) {
            BenchFrames.appendLog(
                requestID: $0, name: SampleLog.name, message: [UInt8](repeating: 0x78, count: SampleLog.messageBytes))
        }
    }
}
