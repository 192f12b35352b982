import NIOCore
import StoreEngine

/// Decodes what would hold an event loop too long: one request at a time, users in turn, by what they ask to have
/// decoded.
final class DecodingQueue: Sendable {
    struct Job: Sendable {
        let connection: ConnectionID
        let payload: ByteBuffer
        let outlined: OutlinedRequest
        let harness: RequestHarness
        let receivedAt: UInt64
        let outbox: Outbox
    }

    /// What waits holds memory of the budget, which bounds it.
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
        // Nobody else has the memory, and a mutable view of it might be a copy all the same.
        return payload.withUnsafeReadableBytes {
            harness.parse(UnsafeMutableRawBufferPointer(mutating: $0), outlined, receivedAt: receivedAt)
        }
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
