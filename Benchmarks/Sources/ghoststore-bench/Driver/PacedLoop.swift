import Glibc
import StoreBasics
import StoreProtocol

/// Sends requests at regular intervals, on one thread. Slow responses do not delay the next requests as long as a
/// connection is free. The latency lasts until the last byte of the response. It begins just before `send`, or, if no
/// connection was free, at the time when the request was due.
struct PacedLoop<Load: Workload>: ~Copyable {
    private static var answerTimeoutMilliseconds: CInt { 30_000 }

    private var load: Load
    private let poll: EventPoll
    private let lanes: LaneArray
    private let timer: IntervalTimer
    private let interval: UInt64
    private var nextRequestID = RequestIDs.first
    private var recorder: LoopRecorder
    private var freeLanes: [Int]
    /// The due times of the requests that wait for a free connection.
    private var overdue: [UInt64] = []
    private var nextDue: UInt64 = 0
    /// The times at which the latency of each connection's request begins.
    private var beginnings: [UInt64]

    init(socketPath: String, clientCount: Int, perSecond: Int, load: Load) throws(BenchError) {
        precondition(clientCount > 0 && perSecond > 0)
        let poll = try EventPoll(batchMax: min(clientCount + 1, 256))
        let lanes = try LaneArray(
            connecting: clientCount, to: socketPath, requestBytesMax: load.requestBytesMax, watchedBy: poll)
        let timer = try IntervalTimer()
        try poll.add(timer.descriptor, lane: clientCount)
        interval = 1_000_000_000 / UInt64(perSecond)
        freeLanes = Array((0..<clientCount).reversed())
        beginnings = Array(repeating: 0, count: clientCount)
        self.load = load
        self.timer = timer
        self.poll = poll
        self.lanes = lanes
        recorder = LoopRecorder(kinds: load.kinds)
    }

    /// Runs the load and waits for the last responses.
    ///
    /// - Throws: `BenchError` if the daemon ends, stops answering, or sends an unexpected response.
    mutating func run(_ duration: LoopDuration) throws(BenchError) -> LoopRecorder {
        recorder.begin(duration)
        nextDue = MonotonicClock.nanoseconds + interval
        try timer.start(at: nextDue, every: interval)
        while freeLanes.count < lanes.count || nextDue < recorder.countUntil {
            let count = try poll.wait(timeoutMilliseconds: Self.answerTimeoutMilliseconds)
            guard count > 0 else { throw BenchError("no answer for \(Self.answerTimeoutMilliseconds / 1_000) s") }
            for position in 0..<count {
                let readiness = poll.readiness(at: position)
                guard readiness.lane < lanes.count else {
                    try sendDue()
                    continue
                }
                if readiness.isWritable {
                    try lanes.resumeSending(on: readiness.lane, watchedBy: poll)
                }
                try receive(on: readiness.lane)
            }
        }
        try recorder.requireNoFailure()
        return recorder
    }

    private mutating func sendDue() throws(BenchError) {
        for _ in 0..<(try timer.takeCount()) where nextDue < recorder.countUntil {
            if let lane = freeLanes.popLast() {
                try send(on: lane, dueAt: nil)
            } else {
                overdue.append(nextDue)
            }
            nextDue += interval
        }
    }

    private mutating func receive(on index: Int) throws(BenchError) {
        guard let payload = try lanes[index].receive(), let pending = lanes[index].pending else { return }
        let now = MonotonicClock.nanoseconds
        let failure = ResponseOutline.failure(
            in: payload, requestID: lanes[index].requestID, expectedResult: pending.expectedResult)
        recorder.record(
            kind: pending.kind, sentAt: beginnings[index], answeredAt: now, byteCount: payload.count, failure: failure)
        lanes[index].finish()
        if overdue.isEmpty {
            freeLanes.append(index)
        } else {
            try send(on: index, dueAt: overdue.removeFirst())
        }
    }

    private mutating func send(on index: Int, dueAt: UInt64?) throws(BenchError) {
        let requestID = nextRequestID
        nextRequestID = RequestIDs.after(requestID)
        let progress = try lanes[index].start(requestID: requestID) {
            load.makeRequest(client: index, requestID: requestID, into: $0)
        }
        beginnings[index] = dueAt ?? lanes[index].sentAt
        if progress == .blocked {
            try poll.watchWritable(lanes[index].socket.descriptor, lane: index, true)
        }
    }
}
