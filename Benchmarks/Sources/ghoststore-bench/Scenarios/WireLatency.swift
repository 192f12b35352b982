import StoreBasics
import StoreClient
import StoreProtocol

/// Measures the time of a change from the sender's `send` to the last byte of its event at a watcher.
struct WatchLatency {
    let socketPath: String
    /// The socket of the watcher's daemon, or `nil` if it is the sender's daemon.
    var watchedSocketPath: String?
    let dataSet: DataSet
    let firstMessage: Int

    func run(_ duration: LoopDuration) throws(BenchError) -> Measurement {
        var saves = try WatchedSaves(self)
        var recorder = LoopRecorder(kinds: ["watch"])
        recorder.begin(duration)
        while MonotonicClock.nanoseconds < recorder.countUntil {
            let (sentAt, arrivedAt) = try saves.next()
            recorder.record(kind: 0, sentAt: sentAt, answeredAt: arrivedAt, byteCount: 0, failure: nil)
        }
        return try recorder.measurement(scenario: Scenario.watch.rawValue, clientCount: 1)
    }

    /// - Parameter restMilliseconds: the pause before each sample.
    func samples(_ count: Int, restMilliseconds: Double) throws(BenchError) -> LatencySummary {
        var saves = try WatchedSaves(self)
        var histogram = LatencyHistogram()
        // The first save is not counted, because the agent may first have to notice that the store has new changes.
        _ = try saves.next()
        for _ in 0..<count {
            pause(milliseconds: restMilliseconds)
            let (sentAt, arrivedAt) = try saves.next()
            histogram.record(nanoseconds: arrivedAt - sentAt)
        }
        return histogram.summary
    }
}

/// Makes one save after the other on one connection, and waits for the event of each on another connection.
private struct WatchedSaves: ~Copyable {
    private var watcher: FrameConnection
    private var sender: FrameConnection
    private let watchID: UInt32
    private let dataSet: DataSet
    private var message: Int
    private var workload: SaveWorkload
    private let frame: UnsafeMutableRawBufferPointer

    init(_ latency: WatchLatency) throws(BenchError) {
        var watcher = try FrameConnection(to: latency.watchedSocketPath ?? latency.socketPath)
        let sender = try FrameConnection(to: latency.socketPath)
        let watchID = try watcher.send { $0.watch = WireWatchRequest() }
        let workload = try SaveWorkload(latency.dataSet, firstMessage: latency.firstMessage)
        try Self.receiveEvent(&watcher, watchID: watchID, of: nil)
        self.watcher = watcher
        self.sender = sender
        self.watchID = watchID
        self.workload = workload
        dataSet = latency.dataSet
        message = latency.firstMessage
        frame = .allocate(byteCount: workload.requestBytesMax, alignment: 16)
    }

    mutating func next() throws(BenchError) -> (sentAt: UInt64, arrivedAt: UInt64) {
        let messageID = dataSet.messageID(message).description
        message += 1
        var sentAt: UInt64 = 0
        let frame = frame
        let requestID = try sender.sendFrame { requestID in
            let prepared = workload.makeRequest(client: 0, requestID: requestID, into: frame)
            sentAt = MonotonicClock.nanoseconds
            return Array(frame[..<prepared.byteCount])
        }
        try Self.receiveEvent(&watcher, watchID: watchID, of: messageID)
        let arrivedAt = MonotonicClock.nanoseconds
        try sender.expect(ResponseOutline.commitNumber, answerTo: requestID)
        return (sentAt, arrivedAt)
    }

    deinit {
        frame.deallocate()
    }

    /// Reads events until one reports the change of the message. Without a message id, reads one event.
    private static func receiveEvent(
        _ watcher: inout FrameConnection, watchID: UInt32, of messageID: String?
    ) throws(BenchError) {
        var isFound = false
        while !isFound {
            isFound = try watcher.receive { outline, payload throws(BenchError) in
                try outline.require(CallKind.watch.rawValue, answerTo: watchID, hasMore: true, in: payload)
                guard let messageID else { return true }
                return holdsChange(of: messageID, payload, event: outline.result)
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

/// Measures the time from the start of a connect to the response to a ping on the new connection. The close of the
/// connection follows after the measured time.
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
