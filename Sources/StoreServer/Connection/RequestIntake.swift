import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// Turns the bytes of one connection into requests, within the memory that its user may hold.
struct RequestIntake: ~Copyable {
    enum Step {
        /// The next frame is incomplete.
        case needsBytes
        /// The next request waits for memory or is being decoded. Continue when a delivery says so.
        case waits
        case parsed(ParsedRequest)
        /// The next bytes are not a valid frame.
        case invalid(StoreError)
    }

    private let connection: ConnectionID
    private let memory: ConnectionMemory
    private let decoding: DecodingQueue
    private let outbox: Outbox
    private var harness: RequestHarness
    private var received: ReceiveBuffer
    private(set) var isDecoding = false
    /// True if rights have changed since a request was handed to the decoding queue.
    private var isReloaded = false

    init(
        connection: ConnectionID, harness: RequestHarness, payloadBytesMax: Int, memory: ConnectionMemory,
        decoding: DecodingQueue, outbox: Outbox
    ) {
        self.connection = connection
        self.harness = harness
        self.memory = memory
        self.decoding = decoding
        self.outbox = outbox
        received = ReceiveBuffer(payloadBytesMax: payloadBytesMax)
    }

    var leftover: ConnectionMachine<PendingRequest>.Leftover {
        received.leftover
    }

    mutating func append(_ bytes: ByteBuffer) {
        received.append(bytes)
    }

    /// Adds bytes that were not requested. Returns false if there is no room for them.
    mutating func appendUnasked(_ bytes: ByteBuffer) -> Bool {
        received.append(bytes)
        return memory.keepUnasked(receivedBytes: received.byteCount)
    }

    /// Ends a turn: keeps the remaining bytes and counts their memory.
    mutating func keepRest() {
        received.keepRest()
        if !memory.isWaiting, received.leftover != .partialFrame {
            memory.keep(receivedBytes: received.byteCount)
        }
    }

    mutating func drop() {
        received.drop()
        memory.keep(receivedBytes: 0)
    }

    mutating func reload(_ harness: RequestHarness) {
        self.harness = harness
        isReloaded = isDecoding
    }

    mutating func next(receivedAt: UInt64) -> Step {
        guard !isDecoding, !memory.isWaiting else { return .waits }
        switch received.scan {
        case .needHeader:
            memory.keep(receivedBytes: received.byteCount)
            return .needsBytes
        case .needPayload(let frameBytes):
            return memory.expect(frameBytes: frameBytes, receivedBytes: received.byteCount) ? .needsBytes : .waits
        case .frame(let payloadBytes):
            return accept(payloadBytes: payloadBytes, receivedAt: receivedAt)
        case .invalid(let fault):
            return .invalid(StoreError(fault))
        }
    }

    /// Accepts a request that was decoded on another thread. Checks the request again if the rights have changed
    /// meanwhile.
    mutating func accept(_ decoded: DecodedRequest) -> ParsedRequest {
        var parsed = decoded.parsed
        if isReloaded, case .request(let request) = parsed {
            parsed = harness.checkAgain(request)
        }
        if case .refused = parsed {
            memory.complete(decoded.bytes)
        }
        isDecoding = false
        isReloaded = false
        return parsed
    }

    private mutating func accept(payloadBytes: Int, receivedAt: UInt64) -> Step {
        var outlined = OutlinedRequest()
        let (frameBytes, arrivedBytes) = (FrameLimits.headerBytes + payloadBytes, received.byteCount)
        let parsed = received.consumeFrame(payloadBytes: payloadBytes) { payload -> ParsedRequest? in
            outlined = harness.outline(UnsafeRawBufferPointer(payload))
            if outlined.mayCarrySecrets {
                memory.beginAnyway(outlined.decodedBytes)
            } else if !memory.begin(outlined.decodedBytes, inPlaceOf: frameBytes, of: arrivedBytes)
                || !outlined.isDecodedOnLoop
            {
                return nil
            }
            return harness.parse(payload, outlined, receivedAt: receivedAt)
        }
        if let parsed {
            if case .refused = parsed {
                memory.complete(outlined.decodedBytes)
            }
            return .parsed(parsed)
        }
        if !memory.isWaiting {
            decodeElsewhere(outlined, payloadBytes: payloadBytes, receivedAt: receivedAt)
        }
        return .waits
    }

    private mutating func decodeElsewhere(_ outlined: OutlinedRequest, payloadBytes: Int, receivedAt: UInt64) {
        isDecoding = true
        let job = DecodingQueue.Job(
            connection: connection, payload: received.consumePayload(payloadBytes: payloadBytes), outlined: outlined,
            harness: harness, receivedAt: receivedAt, outbox: outbox)
        decoding.submit(job)
    }
}
