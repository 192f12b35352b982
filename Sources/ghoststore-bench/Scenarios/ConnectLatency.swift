internal import StoreBasics
import StoreClient

/// How long a new connection takes until its first answer: connect, ping, answer, close.
struct ConnectLatency {
    let socketPath: String

    func run(_ duration: LoopDuration) throws(BenchError) -> Measurement {
        var recorder = LoopRecorder(kinds: ["connect"])
        recorder.begin(duration)
        while MonotonicClock.nanoseconds < recorder.countUntil {
            let startedAt = MonotonicClock.nanoseconds
            var connection = try FrameConnection(to: socketPath)
            try connection.call(expecting: ResultField.ping) { BenchFrames.ping(requestID: $0) }
            let answeredAt = MonotonicClock.nanoseconds
            recorder.record(kind: 0, sentAt: startedAt, answeredAt: answeredAt, byteCount: 0, failure: nil)
        }
        return try recorder.measurement(scenario: Scenario.connect.rawValue, clientCount: 1)
    }
}
