internal import StoreBasics
import StoreClient

/// Saves one message per request, every client into its own conversation, with ids in time order.
struct SaveWorkload: Workload {
    let kinds = ["save"]
    let requestBytesMax: Int
    private let dataSet: DataSet
    private let templates: [RequestTemplate]
    private var nextMessage: Int

    /// - Parameter firstMessage: number of the first message; greater than all that were saved before.
    init(_ dataSet: DataSet, firstMessage: Int) {
        self.dataSet = dataSet
        nextMessage = firstMessage
        templates = SampleTexts.all.map { text in
            RequestTemplate {
                BenchFrames.saveMessage(
                    requestID: $0, messageID: RequestTemplate.Placeholder.first,
                    conversationID: RequestTemplate.Placeholder.second, text: text,
                    senderSessionID: DataSet.ownSessionID,
                    recipientSessionID: dataSet.sessionID(ofConversation: 0), isOutgoing: true)
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
        return PreparedRequest(byteCount: byteCount, kind: 0, expectedResult: ResultField.committed)
    }
}

/// Four gets for every save.
struct MixedWorkload: Workload {
    let kinds = ["get", "save"]
    private var get: RepeatedWorkload
    private var save: SaveWorkload
    private var random = SplitMix(seed: 2)

    init(_ dataSet: DataSet, firstMessage: Int) {
        get = .get(dataSet)
        save = SaveWorkload(dataSet, firstMessage: firstMessage)
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
