import StoreBasics
import StoreProtocol

/// A recovery code that the daemon has just created: printable ASCII, shown once. Its memory is locked, and is wiped
/// when this value is destroyed. Write the code to the place where the person keeps it.
public struct RecoveryCodeOutput: ~Copyable, Sendable {
    let bytes: LockedBytes

    /// The length of the code in bytes, without a newline.
    public var count: Int {
        bytes.count
    }

    /// Writes the code and a newline.
    ///
    /// - Throws: `.inputOutputFailed` if not all of it could be written. The code may be lost in that case.
    public borrowing func write(to descriptor: CInt) throws(StoreClientError) {
        do throws(SystemError) {
            try bytes.withUnsafeBytes { (code) throws(SystemError) in
                try FileDescriptorCalls.write(descriptor, code)
            }
            try withUnsafeBytes(of: UInt8(ascii: "\n")) { (newline) throws(SystemError) in
                try FileDescriptorCalls.write(descriptor, newline)
            }
        } catch {
            throw StoreClientError("could not write", error)
        }
    }

    /// Turns the code into the secret that opens its slot, so that the caller can check the code.
    public consuming func secret() throws(StoreClientError) -> SecretInput {
        try bytes.withUnsafeBytes { (code) throws(StoreClientError) in
            var copy = try LockedBytes(copying: code)
            return try copy.withUnsafeMutableBytes { (memory) throws(StoreClientError) in
                try SecretInput(kind: .recoveryCode, copyingAndWiping: memory)
            }
        }
    }
}

/// Extracts a recovery code from a serialized Response before any other code copies it.
enum SecretAnswer {
    /// Moves the code into locked memory and leaves zeros in its place.
    ///
    /// - Returns: `nil` if the answer contains no code.
    static func extractCode(
        from payload: UnsafeMutableRawBufferPointer
    ) throws(StoreClientError) -> TakeOnce<LockedBytes>? {
        let places: [SecretWire.Place]
        do throws(ProtobufFault) {
            places = try SecretWire.places(inResponse: UnsafeRawBufferPointer(payload))
        } catch {
            payload.wipe()
            throw .answerUnreadable("the daemon sent bytes that are not a response")
        }
        var box: TakeOnce<LockedBytes>?
        for place in places where !place.range.isEmpty {
            let code = UnsafeMutableRawBufferPointer(rebasing: payload[place.range])
            defer { code.wipe() }
            box = TakeOnce(try LockedBytes(copying: UnsafeRawBufferPointer(code)))
        }
        return box
    }
}

/// A key slot that was added, with its recovery code if the daemon created one.
public struct AddedKeySlot: ~Copyable, Sendable {
    /// The number of the slot, for further calls.
    public let number: Int
    private var recoveryCode: RecoveryCodeOutput?

    init(_ wire: WireAddKeySlotResponse, _ code: consuming RecoveryCodeOutput?) {
        number = Int(wire.slot)
        recoveryCode = code
    }

    /// Returns the code of `NewKeySlot.generatedRecoveryCode` on the first call, and `nil` afterwards. Write it out at
    /// once, because the daemon does not return it again.
    public mutating func takeRecoveryCode() -> RecoveryCodeOutput? {
        recoveryCode.take()
    }
}

/// An invitation to a replica group. Its code admits one device before it expires.
public struct ReplicaInvitation: ~Copyable, Sendable {
    /// The time at which the code expires, on the daemon's clock.
    public let expiresAt: Timestamp
    private var code: RecoveryCodeOutput?

    init(_ wire: WireInviteReplicaDeviceResponse, _ code: consuming RecoveryCodeOutput?) {
        expiresAt = Timestamp(microseconds: wire.expiresAtMicroseconds)
        self.code = code
    }

    /// Returns the code on the first call, and `nil` afterwards. Write it out at once, because the daemon does not
    /// return it again.
    public mutating func takeCode() -> RecoveryCodeOutput? {
        code.take()
    }
}
