import StoreBasics
import StoreEngine
import StoreProtocol

/// What the bytes of one frame turned out to be.
enum ParsedRequest {
    case request(PendingRequest)
    case refused(id: UInt64, kind: CallKind?, RequestFailure)
}

/// The way in: from the bytes of one frame to a request that is known, allowed, of a sensible size and well formed.
struct RequestHarness: Sendable {
    let permissions: CallPermissions
    let uid: UInt32

    /// - Parameter payload: the frame's payload where it was received. Secrets in it are overwritten with zeros.
    func parse(_ payload: UnsafeMutableRawBufferPointer, receivedAt: UInt64) -> ParsedRequest {
        let bytes = UnsafeRawBufferPointer(payload)
        var outline = RequestOutline()
        do throws(ProtobufFault) {
            try outline.read(bytes)
        } catch {
            payload.wipe()
            return .refused(
                id: outline.id, kind: nil,
                RequestFailure(.requestMalformed, "the payload is not a Request, or names two calls"))
        }
        let kind = outline.callNumber.flatMap(CallKind.init(rawValue:))
        do throws(RequestFailure) {
            return .request(try parse(payload, outline, kind, receivedAt: receivedAt))
        } catch {
            return .refused(id: outline.id, kind: kind, error)
        }
    }

    private func parse(
        _ payload: UnsafeMutableRawBufferPointer, _ outline: RequestOutline, _ kind: CallKind?, receivedAt: UInt64
    ) throws(RequestFailure) -> PendingRequest {
        var secrets = RequestSecrets.none
        if let number = outline.callNumber, SecretWire.mayCarrySecrets(call: number) {
            secrets = try RequestSecrets.lift(from: payload)
        }
        guard let kind else { throw RequestFailure(.callUnknown, Self.unknownCallMessage(outline.callNumber)) }
        guard permissions.allows(kind) else {
            throw RequestFailure(
                .permissionDenied,
                "user \(uid) has no right to \(kind.name); hint: see access rules in ghoststored.yaml")
        }
        let rule = kind.rule
        try Self.checkSize(kind, rule, outline, UnsafeRawBufferPointer(payload))
        let call = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(payload)[outline.call])
        let command = try permissions.limited(try rule.decode(CallBytes(call, secrets: secrets)), kind, uid: uid)
        return PendingRequest(
            id: outline.id, kind: kind, command: command, answerScope: permissions.answerScope(command, kind),
            idempotencyKey: try idempotencyKey(kind, rule, outline, UnsafeRawBufferPointer(payload)),
            deadline: outline.deadlineMilliseconds == 0
                ? nil : receivedAt + UInt64(outline.deadlineMilliseconds) * 1_000_000,
            receivedAt: receivedAt, bytes: payload.count)
    }

    private static func unknownCallMessage(_ number: UInt32?) -> String {
        guard let number else { return "the request names no call" }
        return "call \(number) is not known; hint: this daemon speaks protocol version \(ProtocolVersion.current)"
    }

    private static func checkSize(
        _ kind: CallKind, _ rule: CallRule, _ outline: RequestOutline, _ payload: UnsafeRawBufferPointer
    ) throws(RequestFailure) {
        guard outline.call.count <= rule.bytesMax else {
            throw RequestFailure(
                .requestTooLarge, "\(kind.name) has \(outline.call.count) bytes; the most is \(rule.bytesMax)")
        }
        guard let fields = outline.callFieldCount(in: payload, upTo: rule.fieldsMax) else { throw .malformedCall }
        guard fields <= rule.fieldsMax else {
            throw RequestFailure(
                .requestTooLarge, "\(kind.name) has too many entries; the most is \(EngineLimits.requestEntitiesMax)")
        }
    }

    private func idempotencyKey(
        _ kind: CallKind, _ rule: CallRule, _ outline: RequestOutline, _ payload: UnsafeRawBufferPointer
    ) throws(RequestFailure) -> IdempotencyKey? {
        guard let range = outline.idempotencyKey, !range.isEmpty else { return nil }
        guard rule.takesKey else { throw .invalidArgument("\(kind.name) takes no idempotency key") }
        guard range.count <= IdempotencyKey.bytesMax else {
            throw .invalidArgument("the idempotency key has \(range.count) bytes; it must have 8 to 64")
        }
        return try checked { () throws(StoreError) in
            try IdempotencyKey(
                [UInt8](payload[range]), userID: uid,
                of: RequestFingerprint(
                    call: kind.rawValue, message: UnsafeRawBufferPointer(rebasing: payload[outline.call])))
        }
    }
}
