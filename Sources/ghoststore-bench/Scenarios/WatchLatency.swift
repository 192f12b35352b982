internal import StoreBasics
import StoreClient

/// How long a change takes from the sender's `send` to a watcher's last byte of its event.
struct WatchLatency {
    let socketPath: String
    let dataSet: DataSet
    let firstMessage: Int

    func run(_ duration: LoopDuration) throws(BenchError) -> Measurement {
        var watcher = try FrameConnection(to: socketPath)
        var sender = try FrameConnection(to: socketPath)
        let watchID = try watcher.send { BenchFrames.watch(requestID: $0) }
        var workload = SaveWorkload(dataSet, firstMessage: firstMessage)
        let frame = UnsafeMutableRawBufferPointer.allocate(byteCount: workload.requestBytesMax, alignment: 16)
        defer { frame.deallocate() }
        try receiveEvent(&watcher, watchID: watchID, of: nil)

        var recorder = LoopRecorder(kinds: ["watch"])
        recorder.begin(duration)
        var message = firstMessage
        while MonotonicClock.nanoseconds < recorder.countUntil {
            let messageID = dataSet.messageID(message).description
            message += 1
            var sentAt: UInt64 = 0
            let requestID = try sender.send { requestID in
                let prepared = workload.makeRequest(client: 0, requestID: UInt32(requestID), into: frame)
                sentAt = MonotonicClock.nanoseconds
                return Array(frame[..<prepared.byteCount])
            }
            try receiveEvent(&watcher, watchID: watchID, of: messageID)
            let arrivedAt = MonotonicClock.nanoseconds
            recorder.record(kind: 0, sentAt: sentAt, answeredAt: arrivedAt, byteCount: 0, failure: nil)
            try sender.expect(ResultField.committed, answerTo: requestID)
        }
        return try recorder.measurement(scenario: Scenario.watch.rawValue, clientCount: 1)
    }

    /// Reads events until one tells the change of the message; without a message, one event.
    private func receiveEvent(
        _ watcher: inout FrameConnection, watchID: UInt32, of messageID: String?
    ) throws(BenchError) {
        var isFound = false
        while !isFound {
            isFound = try watcher.receive { head throws(BenchError) in
                guard head.id == UInt64(watchID), head.resultField == ResultField.watchEvent, head.hasMore else {
                    throw BenchError(head.failureText(requestID: watchID, expectedResult: ResultField.watchEvent))
                }
                guard let messageID else {
                    return true
                }
                return Self.holdsChange(of: messageID, event: head.result)
            }
        }
    }

    private static func holdsChange(of messageID: String, event: UnsafeRawBufferPointer) -> Bool {
        var event = ProtobufReader(event)
        while let change = event.next() {
            guard change.number == 1 else {
                continue
            }
            var reader = ProtobufReader(change.content)
            while let field = reader.next() {
                if field.number == 4, field.content.elementsEqual(messageID.utf8) {
                    return true
                }
            }
        }
        return false
    }
}
