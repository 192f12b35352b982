import Glibc
import StoreBasics
import StoreProtocol

/// The length of one measurement, and of the warm-up before it.
struct LoopDuration: Sendable {
    /// The warm-up time. Requests are sent during this time but not counted.
    var warmUpSeconds: Double
    var seconds: Double
}

/// A closed loop on one thread. Every connection has exactly one request in flight, and sends the next one as soon as
/// the response is complete. The latency lasts from just before `send` until just after the last byte of the response
/// was read.
struct ClosedLoop<Load: Workload>: ~Copyable {
    /// The run fails if no response arrives for this time.
    private static var answerTimeoutMilliseconds: CInt { 30_000 }

    private var load: Load
    private let poll: EventPoll
    private let lanes: LaneArray
    private var nextRequestID = RequestIDs.first
    private var recorder: LoopRecorder
    private var busyLaneCount = 0

    init(socketPath: String, clientCount: Int, load: Load) throws(BenchError) {
        precondition(clientCount > 0)
        let poll = try EventPoll(batchMax: min(clientCount, 256))
        let lanes = try LaneArray(
            connecting: clientCount, to: socketPath, requestBytesMax: load.requestBytesMax, watchedBy: poll)
        self.load = load
        self.poll = poll
        self.lanes = lanes
        recorder = LoopRecorder(kinds: load.kinds)
    }

    /// Runs the load and waits for the last responses.
    ///
    /// - Throws: `BenchError` if the daemon ends, stops answering, or sends an unexpected response.
    mutating func run(_ duration: LoopDuration) throws(BenchError) -> LoopRecorder {
        recorder.begin(duration)
        for index in 0..<lanes.count {
            try sendNext(on: index)
        }
        while busyLaneCount > 0 {
            let count = try poll.wait(timeoutMilliseconds: Self.answerTimeoutMilliseconds)
            guard count > 0 else { throw BenchError("no answer for \(Self.answerTimeoutMilliseconds / 1_000) s") }
            for position in 0..<count {
                let readiness = poll.readiness(at: position)
                if readiness.isWritable {
                    try lanes.resumeSending(on: readiness.lane, watchedBy: poll)
                }
                try receive(on: readiness.lane)
            }
        }
        try recorder.requireNoFailure()
        return recorder
    }

    @inline(__always)
    private mutating func receive(on index: Int) throws(BenchError) {
        guard let payload = try lanes[index].receive(), let pending = lanes[index].pending else { return }
        let now = MonotonicClock.nanoseconds
        let failure = ResponseOutline.failure(
            in: payload, requestID: lanes[index].requestID, expectedResult: pending.expectedResult)
        recorder.record(
            kind: pending.kind, sentAt: lanes[index].sentAt, answeredAt: now, byteCount: payload.count,
            failure: failure)
        lanes[index].finish()
        busyLaneCount -= 1
        if now < recorder.countUntil {
            try sendNext(on: index)
        }
    }

    @inline(__always)
    private mutating func sendNext(on index: Int) throws(BenchError) {
        let requestID = nextRequestID
        nextRequestID = RequestIDs.after(requestID)
        busyLaneCount += 1
        let progress = try lanes[index].start(requestID: requestID) {
            load.makeRequest(client: index, requestID: requestID, into: $0)
        }
        if progress == .blocked {
            try poll.watchWritable(lanes[index].socket.descriptor, lane: index, true)
        }
    }
}
