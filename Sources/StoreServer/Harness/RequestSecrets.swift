import NIOCore
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol
import SwiftProtobuf

/// The secrets of one request, extracted from the receive buffer before any other code reads it.
struct RequestSecrets: Sendable {
    private var secret: SecretBox?
    private var newSecret: SecretBox?

    static var none: RequestSecrets {
        RequestSecrets()
    }

    private init() {}

    /// Copies each secret of the payload into locked memory and overwrites it in the payload with zeros. If the payload
    /// cannot be parsed or contains a secret twice, all of it is overwritten, because any part may be a secret.
    ///
    /// - Throws: `StoreError` with reason `.requestMalformed`, or `.internal` if the system has no memory for a secret.
    static func lift(from payload: UnsafeMutableRawBufferPointer) throws(StoreError) -> RequestSecrets {
        guard let places = try? SecretWire.places(inRequest: UnsafeRawBufferPointer(payload)),
            Set(places.map(\.role)).count == places.count
        else {
            payload.wipe()
            throw StoreError(.requestMalformed, "the request is not protobuf, or gives a secret twice")
        }
        var secrets = RequestSecrets()
        do throws(CryptoError) {
            for place in places where !place.range.isEmpty {
                let bytes = UnsafeMutableRawBufferPointer(rebasing: payload[place.range])
                secrets.keep(try SecretBytes(copying: UnsafeRawBufferPointer(bytes)), role: place.role)
                bytes.wipe()
            }
        } catch {
            payload.wipe()
            throw StoreError(.internal, "there is no memory for a secret")
        }
        return secrets
    }

    private mutating func keep(_ bytes: consuming SecretBytes, role: SecretWire.Role) {
        let box = SecretBox(bytes)
        switch role {
        case .secret: secret = box
        case .newSecret: newSecret = box
        case .recoveryCode: break
        }
    }

    /// Removes and returns the secret that opens a key slot; `nil` if the request has none.
    func takeSecret(kind: WireKeySlotKind) throws(StoreError) -> SlotSecretBox? {
        try Self.slotSecret(secret, kind: kind, field: "secret")
    }

    /// Removes and returns the secret that a key slot shall get; `nil` if the request has none.
    func takeNewSecret(kind: WireKeySlotKind) throws(StoreError) -> SlotSecretBox? {
        try Self.slotSecret(newSecret, kind: kind, field: "new_secret")
    }

    /// Removes and returns the code of an invitation, which has the form of a recovery code; `nil` if the request has
    /// none.
    func takeCode(kind: WireKeySlotKind) throws(StoreError) -> SecretBox? {
        guard let bytes = secret?.take() else { return nil }
        guard kind == .recoveryCode else { throw .invalidArgument("code.kind must be 'recovery code'") }
        return SecretBox(bytes)
    }

    private static func slotSecret(
        _ box: SecretBox?, kind: WireKeySlotKind, field: String
    ) throws(StoreError) -> SlotSecretBox? {
        guard let bytes = box?.take() else { return nil }
        guard let kind = SlotKind(wire: kind) else { throw .invalidArgument("\(field).kind is unknown to this daemon") }
        do throws(CryptoError) {
            return SlotSecretBox(try SlotSecret(kind: kind, bytes: bytes))
        } catch {
            throw .invalidArgument("\(field): \(error.message)")
        }
    }
}

extension SlotKind {
    init?(wire kind: WireKeySlotKind) {
        switch kind {
        case .passphrase: self = .passphrase
        case .recoveryCode: self = .recoveryCode
        case .keyFile: self = .keyFile
        case .credential: self = .credential
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}

/// Encodes frames that contain a recovery code. The frame is serialized with zeros and the code is inserted afterwards,
/// so that the code exists only in locked memory and in the one buffer that is written and wiped.
enum SecretResponse {
    static func frame(
        _ head: ResponseHead, _ result: WireResponse.OneOf_Result, recoveryCode: borrowing SecretBytes
    ) -> ByteBuffer {
        var buffer = ByteBuffer()
        FrameWriter.append(head, result, to: &buffer)
        buffer.withUnsafeMutableReadableBytes { frame in
            let payload = UnsafeMutableRawBufferPointer(rebasing: frame[FrameLimits.headerBytes...])
            guard let places = try? SecretWire.places(inResponse: UnsafeRawBufferPointer(payload)),
                let place = places.first, place.range.count == recoveryCode.count
            else { preconditionFailure("a response must have a field for its recovery code") }
            recoveryCode.withUnsafeBytes { code in
                UnsafeMutableRawBufferPointer(rebasing: payload[place.range]).copyMemory(from: code)
            }
        }
        return buffer
    }
}

extension ByteBuffer {
    /// Overwrites the whole storage in place with zeros, without the copy that changing a shared buffer would create.
    func wipeInPlace() {
        withVeryUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(mutating: bytes).wipe()
        }
    }
}
