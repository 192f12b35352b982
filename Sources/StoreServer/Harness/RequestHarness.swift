import StoreBasics
import StoreEngine
import StoreProtocol

/// The result of parsing the bytes of one frame.
enum ParsedRequest: Sendable {
    case request(PendingRequest)
    case refused(id: UInt64, kind: CallKind?, StoreError)
}

/// The kind and the size of a request, determined without decoding its call.
struct OutlinedRequest: Sendable {
    fileprivate var outline = RequestOutline()
    fileprivate var isReadable = true
    fileprivate var refusal: StoreError?
    fileprivate(set) var kind: CallKind?
    /// The bytes of memory that the request takes, from its decoding until it is answered.
    fileprivate(set) var decodedBytes = CallLimits.requestBytes
    fileprivate var loopDecodedBytesMax = CallLimits.loopDecodedBytesMax

    var id: UInt64 { outline.id }

    var isDecodedOnLoop: Bool { decodedBytes <= loopDecodedBytesMax }

    /// True if the call may carry secrets. They are extracted and wiped at once in the buffer in which the request was
    /// received.
    var mayCarrySecrets: Bool {
        outline.callNumber.map(SecretWire.mayCarrySecrets(call:)) ?? false
    }
}

/// Turns the bytes of one frame into a request, and ensures that its call is known and allowed, and that its size and
/// form are valid.
struct RequestHarness: Sendable {
    let permissions: CallPermissions
    let uid: UInt32

    /// Reads the outline of a payload. This takes little time, whatever the payload contains.
    func outline(_ payload: UnsafeRawBufferPointer) -> OutlinedRequest {
        var outlined = OutlinedRequest()
        do throws(ProtobufFault) {
            try outlined.outline.read(payload)
        } catch {
            outlined.isReadable = false
            return outlined
        }
        outlined.kind = outlined.outline.callNumber.flatMap(CallKind.init(rawValue:))
        do throws(StoreError) {
            try check(&outlined, payload)
        } catch {
            outlined.refusal = error
        }
        return outlined
    }

    func parse(_ payload: UnsafeMutableRawBufferPointer, receivedAt: UInt64) -> ParsedRequest {
        parse(payload, outline(UnsafeRawBufferPointer(payload)), receivedAt: receivedAt)
    }

    /// - Parameter payload: The frame's payload in the receive buffer. Secrets in it are overwritten with zeros.
    func parse(
        _ payload: UnsafeMutableRawBufferPointer, _ outlined: OutlinedRequest, receivedAt: UInt64
    ) -> ParsedRequest {
        guard outlined.isReadable else {
            payload.wipe()
            return .refused(
                id: outlined.outline.id, kind: nil,
                StoreError(.requestMalformed, "the payload is not a Request, or names two calls"))
        }
        do throws(StoreError) {
            return .request(try decode(payload, outlined, receivedAt: receivedAt))
        } catch {
            return .refused(id: outlined.outline.id, kind: outlined.kind, error)
        }
    }

    /// Checks again a request that was decoded before the rights changed.
    func checkAgain(_ request: PendingRequest) -> ParsedRequest {
        do throws(StoreError) {
            try checkRight(request.kind)
            let command = try permissions.limited(request.command, request.kind, uid: uid)
            return .request(
                PendingRequest(
                    id: request.id, kind: request.kind, command: command,
                    answerScope: permissions.answerScope(command, request.kind),
                    idempotencyKey: request.idempotencyKey, deadline: request.deadline,
                    history: request.history, receivedAt: request.receivedAt, bytes: request.bytes))
        } catch {
            return .refused(id: request.id, kind: request.kind, error)
        }
    }

    private func decode(
        _ payload: UnsafeMutableRawBufferPointer, _ outlined: OutlinedRequest, receivedAt: UInt64
    ) throws(StoreError) -> PendingRequest {
        let outline = outlined.outline
        if let refusal = outlined.refusal {
            if outlined.mayCarrySecrets {
                payload.wipe()
            }
            throw refusal
        }
        let secrets = outlined.mayCarrySecrets ? try RequestSecrets.lift(from: payload) : .none
        guard let kind = outlined.kind else { throw .malformedCall }
        let rule = kind.rule
        let call = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(payload)[outline.call])
        let command = try permissions.limited(try rule.decode(CallBytes(call, secrets: secrets)), kind, uid: uid)
        let history = try Self.history(outline, UnsafeRawBufferPointer(payload))
        return PendingRequest(
            id: outline.id, kind: kind, command: command, answerScope: permissions.answerScope(command, kind),
            idempotencyKey: try idempotencyKey(kind, rule, outline, UnsafeRawBufferPointer(payload)),
            deadline: outline.deadlineMilliseconds == 0
                ? nil : receivedAt + UInt64(outline.deadlineMilliseconds) * 1_000_000,
            // The engine rejects a request if the store has another history than the request names. For a caller
            // without any right this check is left out, because its result would be a fact about the store.
            history: permissions.isStranger ? nil : history, receivedAt: receivedAt,
            bytes: outlined.decodedBytes)
    }

    private static func history(
        _ outline: RequestOutline, _ payload: UnsafeRawBufferPointer
    ) throws(StoreError) -> HistoryID? {
        guard let range = outline.historyID, !range.isEmpty else { return nil }
        guard let history = HistoryID(UnsafeRawBufferPointer(rebasing: payload[range])) else {
            throw .invalidArgument(
                "the history id has \(range.count) bytes; it must have \(HistoryID.byteCount), or none at all")
        }
        return history
    }

    /// Checks that the call is known and allowed and has a valid size, and computes the memory that it takes.
    private func check(
        _ outlined: inout OutlinedRequest, _ payload: UnsafeRawBufferPointer
    ) throws(StoreError) {
        guard let kind = outlined.kind else {
            throw StoreError(.callUnknown, Self.unknownCallMessage(outlined.outline.callNumber))
        }
        try checkRight(kind)
        let rule = kind.rule
        outlined.loopDecodedBytesMax = rule.loopDecodedBytesMax
        let fieldCount = try Self.checkSize(kind, rule, outlined.outline, payload)
        outlined.decodedBytes = rule.decodedBytes(payloadBytes: payload.count, fieldCount: fieldCount)
    }

    private func checkRight(_ kind: CallKind) throws(StoreError) {
        guard permissions.allows(kind) else {
            throw .permissionDenied(kind, isLimited: kind.rule.limitedRightWillDo, uid: uid)
        }
    }

    private static func unknownCallMessage(_ number: UInt32?) -> String {
        guard let number else { return "the request contains no call" }
        return "call \(number) is unknown; hint: this daemon speaks protocol version \(ProtocolVersion.current)"
    }

    /// - Returns: The number of fields of the call's own message.
    private static func checkSize(
        _ kind: CallKind, _ rule: CallRule, _ outline: RequestOutline, _ payload: UnsafeRawBufferPointer
    ) throws(StoreError) -> Int {
        guard outline.call.count <= rule.bytesMax else {
            throw StoreError(
                .requestTooLarge, "\(kind.name) has \(outline.call.count) bytes; the limit is \(rule.bytesMax)")
        }
        guard let fields = outline.callFieldCount(in: payload, upTo: rule.fieldsMax) else { throw .malformedCall }
        guard fields <= rule.fieldsMax else {
            throw StoreError(
                .requestTooLarge,
                "\(kind.name) has too many entries; all its lists together may have at most \(rule.entriesMax)")
        }
        return fields
    }

    private func idempotencyKey(
        _ kind: CallKind, _ rule: CallRule, _ outline: RequestOutline, _ payload: UnsafeRawBufferPointer
    ) throws(StoreError) -> IdempotencyKey? {
        guard let range = outline.idempotencyKey, !range.isEmpty else { return nil }
        guard rule.acceptsIdempotencyKey else { throw .invalidArgument("\(kind.name) accepts no idempotency key") }
        guard range.count <= IdempotencyKey.bytesMax else {
            throw .invalidArgument("the idempotency key has \(range.count) bytes; it must have 8 to 64")
        }
        return try IdempotencyKey(
            [UInt8](payload[range]), userID: uid,
            of: RequestFingerprint(
                call: kind.rawValue, message: UnsafeRawBufferPointer(rebasing: payload[outline.call])))
    }
}
