import StoreBasics
import StoreProtocol

/// A recovery code the daemon just made: printable ASCII, shown once. Lives in memory that is locked and wiped at the
/// end; write it to where the person keeps it.
public struct RecoveryCodeOutput: ~Copyable, Sendable {
    let bytes: LockedBytes

    /// Bytes of the code, without a newline.
    public var count: Int {
        bytes.count
    }

    /// Writes the code and a newline.
    /// - Throws: `.inputOutputFailed` when not all of it could be written: the code may then be lost.
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

    /// Turns the code into the secret that opens its slot, to check that it works.
    public consuming func secret() throws(StoreClientError) -> SecretInput {
        try bytes.withUnsafeBytes { (code) throws(StoreClientError) in
            var copy = try LockedBytes(copying: code)
            return try copy.withUnsafeMutableBytes { (memory) throws(StoreClientError) in
                try SecretInput(kind: .recoveryCode, copyingAndWiping: memory)
            }
        }
    }
}

/// Takes a recovery code out of a serialized Response before anything copies it.
enum SecretAnswer {
    /// Moves the code into locked memory and leaves zeros in its place.
    /// - Returns: `nil` when the answer holds none.
    static func take(from payload: UnsafeMutableRawBufferPointer) throws(StoreClientError) -> TakeOnce<LockedBytes>? {
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

/// A slot that was added.
public struct AddedKeySlot: ~Copyable, Sendable {
    /// The number of the slot in calls.
    public let number: Int
    private var recoveryCode: RecoveryCodeOutput?

    init(_ wire: WireAddKeySlotResponse, _ code: consuming RecoveryCodeOutput?) {
        number = Int(wire.slot)
        recoveryCode = code
    }

    /// Returns the code of `NewKeySlot.generatedRecoveryCode`, the first time. Write it out now: the daemon does not
    /// return it again.
    public mutating func takeRecoveryCode() -> RecoveryCodeOutput? {
        recoveryCode.take()
    }
}

/// An invitation to a replica group. Its code admits one device before it expires.
public struct ReplicaInvitation: ~Copyable, Sendable {
    /// When the code expires, by the daemon's clock.
    public let expiresAt: Timestamp
    private var code: RecoveryCodeOutput?

    init(_ wire: WireInviteReplicaDeviceResponse, _ code: consuming RecoveryCodeOutput?) {
        expiresAt = Timestamp(microseconds: wire.expiresAtMicroseconds)
        self.code = code
    }

    /// Returns the code, the first time. Write it out now: the daemon does not return it again.
    public mutating func takeCode() -> RecoveryCodeOutput? {
        code.take()
    }
}
