import Dispatch
import NIOCore
import Synchronization

/// Decodes what would hold an event loop too long: one request at a time, users in turn.
final class DecodingQueue: Sendable {
    struct Job: Sendable {
        let connection: ConnectionID
        var payload: ByteBuffer
        let outlined: OutlinedRequest
        let harness: RequestHarness
        let receivedAt: UInt64
        let outbox: Outbox
    }

    private struct State {
        var waiting: [UInt32: FIFOQueue<Job>] = [:]
        /// Users of whom something waits, whose turn comes first at its head.
        var users = FIFOQueue<UInt32>()
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "decoding")

    func submit(_ job: Job) {
        let uid = job.harness.uid
        state.withLock { state in
            if state.waiting[uid] == nil {
                state.users.append(uid)
            }
            state.waiting[uid, default: FIFOQueue()].append(job)
        }
        queue.async { [self] in
            if let job = next() {
                Self.run(job)
            }
        }
    }

    private func next() -> Job? {
        state.withLock { state in
            guard let uid = state.users.popFirst(), let job = state.waiting[uid]?.popFirst() else { return nil }
            if state.waiting[uid]?.isEmpty ?? true {
                state.waiting[uid] = nil
            } else {
                state.users.append(uid)
            }
            return job
        }
    }

    private static func run(_ job: consuming Job) {
        let outbox = job.outbox
        let decoded = DecodedRequest(
            connection: job.connection, userID: job.harness.uid, bytes: job.outlined.decodedBytes,
            parsed: job.decode())
        outbox.post(.decoded(decoded))
    }
}

extension DecodingQueue.Job {
    fileprivate consuming func decode() -> ParsedRequest {
        let (harness, outlined, receivedAt) = (harness, outlined, receivedAt)
        return payload.withUnsafeMutableReadableBytes { harness.parse($0, outlined, receivedAt: receivedAt) }
    }
}

/// What became of a request that was decoded elsewhere.
struct DecodedRequest: Sendable {
    let connection: ConnectionID
    let userID: UInt32
    /// Counted for it.
    let bytes: Int
    let parsed: ParsedRequest
}
