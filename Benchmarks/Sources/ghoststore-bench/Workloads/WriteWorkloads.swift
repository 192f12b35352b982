import StoreBasics
import StoreProtocol

/// Saves one message per request, each client into its own conversation, with ids in the order of time.
struct SaveWorkload: Workload {
    let kinds = ["save"]
    let requestBytesMax: Int
    private let dataSet: DataSet
    private let templates: [RequestTemplate]
    private var nextMessage: Int

    /// - Parameter firstMessage: the number of the first message. It must be larger than the numbers of all earlier
    ///   messages.
    init(_ dataSet: DataSet, firstMessage: Int) throws(BenchError) {
        self.dataSet = dataSet
        nextMessage = firstMessage
        templates = try SampleTexts.all.map { text throws(BenchError) in
            try RequestTemplate {
                var message = WireNewMessage()
                message.id = RequestTemplate.Placeholder.first
                message.conversation.id = RequestTemplate.Placeholder.second
                message.text = text
                message.senderSessionID = DataSet.ownSessionID
                message.recipientSessionID = dataSet.sessionID(ofConversation: 0)
                message.isOutgoing = true
                $0.saveMessage.message = message
            }
        }
        requestBytesMax = templates.map(\.byteCount).max() ?? 0
    }

    @inline(__always)
    mutating func makeRequest(
        client: Int, requestID: UInt32, into buffer: UnsafeMutableRawBufferPointer
    ) -> PreparedRequest {
        let message = nextMessage
        nextMessage += 1
        let byteCount = templates[message % templates.count].write(
            requestID: requestID, first: dataSet.messageID(message), second: dataSet.clientConversationID(client),
            to: buffer)
        return PreparedRequest(byteCount: byteCount, kind: 0, expectedResult: ResponseOutline.commitNumber)
    }
}

/// Makes four gets for every save.
struct MixedWorkload: Workload {
    let kinds = ["get", "save"]
    private var get: RepeatedWorkload
    private var save: SaveWorkload
    private var random = SplitMix(seed: 2)

    init(_ dataSet: DataSet, firstMessage: Int) throws(BenchError) {
        get = try .get(dataSet)
        save = try SaveWorkload(dataSet, firstMessage: firstMessage)
    }

    var requestBytesMax: Int { max(get.requestBytesMax, save.requestBytesMax) }

    @inline(__always)
    mutating func makeRequest(
        client: Int, requestID: UInt32, into buffer: UnsafeMutableRawBufferPointer
    ) -> PreparedRequest {
        if random.next() % 100 < 80 {
            return get.makeRequest(client: client, requestID: requestID, into: buffer)
        }
        let prepared = save.makeRequest(client: client, requestID: requestID, into: buffer)
        return PreparedRequest(
            byteCount: prepared.byteCount, kind: 1, expectedResult: prepared.expectedResult)
    }
}

/// The scenes of a run. Each has one text, under the same key.
enum SampleScenes {
    static let count = 10_000
    static let key = "state"
    /// Approximately the size of one saved message.
    static let valueBytes = 200

    /// - Parameter id: an id of `UUIDv7.textByteCount` characters that makes the value unique.
    static func value(id: String) -> String {
        id + String(repeating: "x", count: valueBytes - UUIDv7.textByteCount)
    }
}

/// Sets the key of one random scene per request. Every value is new, because setting an equal value would write
/// nothing.
struct SceneSetWorkload: Workload {
    let kinds = ["scene-set"]
    private let dataSet: DataSet
    private let template: RequestTemplate
    private var nextValue: Int
    private var random = SplitMix(seed: 1)

    /// - Parameter firstValue: the number of the first value. It must be larger than the numbers of all earlier values.
    init(_ dataSet: DataSet, firstValue: Int) throws(BenchError) {
        self.dataSet = dataSet
        template = try RequestTemplate {
            var change = WireSceneChange()
            change.key = SampleScenes.key
            change.value.string = SampleScenes.value(id: RequestTemplate.Placeholder.second)
            $0.setSceneValues.scene = RequestTemplate.Placeholder.first
            $0.setSceneValues.changes = [change]
        }
        nextValue = firstValue
    }

    var requestBytesMax: Int { template.byteCount }

    @inline(__always)
    mutating func makeRequest(
        client: Int, requestID: UInt32, into buffer: UnsafeMutableRawBufferPointer
    ) -> PreparedRequest {
        let scene = Int(random.next() % UInt64(SampleScenes.count))
        let value = nextValue
        nextValue += 1
        let byteCount = template.write(
            requestID: requestID, first: dataSet.sceneName(scene), second: dataSet.messageID(value), to: buffer)
        return PreparedRequest(byteCount: byteCount, kind: 0, expectedResult: ResponseOutline.commitNumber)
    }
}
