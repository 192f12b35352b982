import StoreBasics
import StoreClient
import StoreProtocol

/// How long a change takes from the sender's `send` to a watcher's last byte of its event.
struct WatchLatency {
    let socketPath: String
    let dataSet: DataSet
    let firstMessage: Int

    func run(_ duration: LoopDuration) throws(BenchError) -> Measurement {
        var watcher = try FrameConnection(to: socketPath)
        var sender = try FrameConnection(to: socketPath)
        let watchID = try watcher.send { $0.watch = WireWatchRequest() }
        var workload = try SaveWorkload(dataSet, firstMessage: firstMessage)
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
            let requestID = try sender.sendFrame { requestID in
                let prepared = workload.makeRequest(client: 0, requestID: requestID, into: frame)
                sentAt = MonotonicClock.nanoseconds
                return Array(frame[..<prepared.byteCount])
            }
            try receiveEvent(&watcher, watchID: watchID, of: messageID)
            let arrivedAt = MonotonicClock.nanoseconds
            recorder.record(kind: 0, sentAt: sentAt, answeredAt: arrivedAt, byteCount: 0, failure: nil)
            try sender.expect(ResponseOutline.commitNumber, answerTo: requestID)
        }
        return try recorder.measurement(scenario: Scenario.watch.rawValue, clientCount: 1)
    }

    /// Reads events until one tells the change of the message; without a message, one event.
    private func receiveEvent(
        _ watcher: inout FrameConnection, watchID: UInt32, of messageID: String?
    ) throws(BenchError) {
        var isFound = false
        while !isFound {
            isFound = try watcher.receive { outline, payload throws(BenchError) in
                try outline.require(CallKind.watch.rawValue, answerTo: watchID, hasMore: true, in: payload)
                guard let messageID else { return true }
                return Self.holdsChange(of: messageID, payload, event: outline.result)
            }
        }
    }

    private static func holdsChange(
        of messageID: String, _ payload: UnsafeRawBufferPointer, event: Range<Int>
    ) -> Bool {
        var events = ProtobufReader(payload, range: event)
        while let change = try? events.next() {
            guard change.number == 1, case .bytes(let range) = change.value else { continue }
            var fields = ProtobufReader(payload, range: range)
            while let field = try? fields.next() {
                if field.number == 4, case .bytes(let id) = field.value, payload[id].elementsEqual(messageID.utf8) {
                    return true
                }
            }
        }
        return false
    }
}

/// How long a new connection takes until its first answer: connect, ping, answer, close.
struct ConnectLatency {
    let socketPath: String

    func run(_ duration: LoopDuration) throws(BenchError) -> Measurement {
        var recorder = LoopRecorder(kinds: ["connect"])
        recorder.begin(duration)
        while MonotonicClock.nanoseconds < recorder.countUntil {
            let startedAt = MonotonicClock.nanoseconds
            var connection = try FrameConnection(to: socketPath)
            try connection.ping()
            let answeredAt = MonotonicClock.nanoseconds
            recorder.record(kind: 0, sentAt: startedAt, answeredAt: answeredAt, byteCount: 0, failure: nil)
        }
        return try recorder.measurement(scenario: Scenario.connect.rawValue, clientCount: 1)
    }
}
