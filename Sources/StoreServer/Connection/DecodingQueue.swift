import NIOCore
import StoreEngine

/// Decodes requests that would occupy an event loop for too long, one at a time. Users take turns, weighted by the
/// bytes that they ask to have decoded.
final class DecodingQueue: Sendable {
    struct Job: Sendable {
        let connection: ConnectionID
        let payload: ByteBuffer
        let outlined: OutlinedRequest
        let harness: RequestHarness
        let receivedAt: UInt64
        let outbox: Outbox
    }

    /// The queue itself has no limit. Waiting requests hold memory of the budget, which limits them.
    private let queue = SerialWorkQueue<Job>(
        label: "decoding", capacity: .init(), turnCost: CallLimits.loopDecodedBytesMax
    ) { DecodingQueue.run($0) }

    func submit(_ job: Job) {
        let owner = WorkOwner(userID: job.harness.uid, connection: job.connection)
        let isTaken = queue.submit(job, for: owner, cost: job.outlined.decodedBytes)
        precondition(isTaken, "an unbounded queue must accept every element")
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
        // No other code uses this memory, so it may be changed. A mutable view of the buffer might copy the memory, so
        // the bytes are changed through the read-only view.
        return payload.withUnsafeReadableBytes {
            harness.parse(UnsafeMutableRawBufferPointer(mutating: $0), outlined, receivedAt: receivedAt)
        }
    }
}

/// The result of decoding a request on another thread.
struct DecodedRequest: Sendable {
    let connection: ConnectionID
    let userID: UInt32
    /// The bytes of the memory budget that the request holds.
    let bytes: Int
    let parsed: ParsedRequest
}
