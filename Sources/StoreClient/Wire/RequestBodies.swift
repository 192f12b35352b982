import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf

/// Creation of the bodies of requests, which are serialized here on the caller's thread.
extension RequestBody {
    init(_ call: WireRequest.OneOf_Call, key: IdempotencyKey? = nil) throws(StoreClientError) {
        try self.init(bytes: Self.serialize(call, key: key))
    }

    /// - Parameters:
    ///   - call: The call, with zero bytes in place of each secret.
    ///   - secrets: The secrets in the order in which the request contains them: the current secret, then the new one.
    init(
        _ call: WireRequest.OneOf_Call, secrets: consuming SecretList, answersSecret: Bool = false
    ) throws(StoreClientError) {
        let bytes = try Self.serialize(call, key: nil)
        let places = try? bytes.withUnsafeBytes { (memory) throws(ProtobufFault) in
            try SecretWire.places(inRequest: memory)
        }
        let ranges = (places ?? []).map(\.range).filter { !$0.isEmpty }
        precondition(ranges.count == secrets.boxes.count, "the request has no field for a secret")
        self.init(
            bytes: bytes, secrets: zip(ranges, secrets.boxes).map { (range: $0, box: $1) },
            answersSecret: answersSecret)
    }

    /// Creates the request that ends a watch or a held call.
    static func cancel(_ requestID: UInt64) throws(StoreClientError) -> RequestBody {
        var call = WireCancelRequest()
        call.requestID = requestID
        return try RequestBody(.cancel(call))
    }

    /// Returns the request with the id of a history, so that the daemon rejects it if the store has another one. With
    /// `nil`, returns the request unchanged.
    func requiring(_ history: HistoryID?) -> RequestBody {
        guard let history else { return self }
        var named = self
        let field = WireRequest.with { $0.historyID = Data(history.bytes) }
        // Two serialized messages in a row are a serialized message with the fields of both.
        named.bytes += (try? field.serializedBytes() as [UInt8]) ?? []
        return named
    }

    private static func serialize(
        _ call: WireRequest.OneOf_Call, key: IdempotencyKey?
    ) throws(StoreClientError) -> [UInt8] {
        var request = WireRequest()
        request.call = call
        if let key {
            request.idempotencyKey = Data(key.bytes)
        }
        do {
            return try request.serializedBytes()
        } catch {
            throw .invalidArgument("the request cannot be encoded: \(error)")
        }
    }
}

/// The secrets of one request, in the order in which the request contains them.
struct SecretList {
    private(set) var boxes: [TakeOnce<LockedBytes>] = []

    /// Adds a secret. Returns the message that takes the secret's place in the request: its kind, and as many zero
    /// bytes as the secret has.
    mutating func add(_ secret: consuming SecretInput) -> WireSecret {
        var wire = WireSecret()
        wire.kind = WireKeySlotKind(secret.kind)
        wire.value = Data(count: secret.bytes.count)
        boxes.append(TakeOnce(secret.takeBytes()))
        return wire
    }
}
