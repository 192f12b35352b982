import Glibc
import StoreBasics

/// A secret that opens a key slot. Its memory is locked, excluded from core dumps, and wiped when this value is
/// destroyed. It is never in a `String`, an array or `Data`, and a call consumes it.
public struct SecretInput: ~Copyable, Sendable {
    /// The longest passphrase, in bytes of UTF-8.
    public static let passphraseBytesMax = 1_024
    /// The longest key file or credential, in bytes.
    public static let keyFileBytesMax = 4_096

    /// The kind of slot that the secret opens.
    public let kind: KeySlotKind
    let bytes: LockedBytes
    /// True if a carriage return followed the secret in the input. It is not part of the secret.
    package let endedInCarriageReturn: Bool

    /// Copies the secret and wipes its source, even after an error.
    ///
    /// - Throws: `.invalidArgument` if it is empty or longer than its kind may be; `.inputOutputFailed` if the system
    ///   gives no memory.
    public init(
        kind: KeySlotKind, copyingAndWiping source: UnsafeMutableRawBufferPointer
    ) throws(StoreClientError) {
        defer { source.wipe() }
        try self.init(kind: kind, bytes: LockedBytes(copying: UnsafeRawBufferPointer(source)))
    }

    /// Reads a descriptor to its end and leaves it open. One line end of a passphrase or recovery code is not part of
    /// the secret: a newline, a carriage return or both. Blocks the calling thread.
    ///
    /// - Throws: `.inputOutputFailed` if the descriptor cannot be read; `.invalidArgument` if the secret is empty or
    ///   too long.
    public init(kind: KeySlotKind, readingFrom descriptor: CInt) throws(StoreClientError) {
        try self.init(kind: kind, readingFrom: descriptor, waiting: SecretReader.untilReadable)
    }

    /// Reads a descriptor to its end, like `init(kind:readingFrom:)`, but calls `waiting` to wait for input.
    package init(
        kind: KeySlotKind, readingFrom descriptor: CInt,
        waiting: (_ descriptor: CInt) throws(StoreClientError) -> Void
    ) throws(StoreClientError) {
        var lineEnd: SecretReader.LineEnd? = kind.isText ? SecretReader.LineEnd.none : nil
        let bytes = try SecretReader.read(descriptor, &lineEnd, waiting: waiting)
        try self.init(kind: kind, bytes: bytes, endedInCarriageReturn: lineEnd == .carriageReturn)
    }

    /// Reads a file. One line end of a passphrase or recovery code is not part of the secret: a newline, a carriage
    /// return or both.
    ///
    /// - Throws: `.inputOutputFailed` if the file cannot be read; `.invalidArgument` if the secret is empty or too
    ///   long.
    public init(kind: KeySlotKind, file path: String) throws(StoreClientError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw StoreClientError("could not open \(path)", SystemError.last) }
        defer { close(descriptor) }
        try self.init(kind: kind, readingFrom: descriptor)
    }

    /// Asks the person at the terminal of this process (/dev/tty), without echo. Blocks the calling thread.
    ///
    /// - Throws: `.inputOutputFailed` if there is no terminal; `.invalidArgument` if the input was empty or too long.
    public init(kind: KeySlotKind, prompt: String) throws(StoreClientError) {
        try self.init(kind: kind, bytes: SecretReader.prompt(prompt))
    }

    /// Asks at the terminal, like `init(kind:prompt:)`, but calls `waiting` to wait for input.
    package init(
        kind: KeySlotKind, prompt: String, waiting: (_ terminal: CInt) throws(StoreClientError) -> Void
    ) throws(StoreClientError) {
        try self.init(kind: kind, bytes: SecretReader.prompt(prompt, waiting: waiting))
    }

    private init(
        kind: KeySlotKind, bytes: consuming LockedBytes, endedInCarriageReturn: Bool = false
    ) throws(StoreClientError) {
        let bytesMax = kind.isText ? Self.passphraseBytesMax : Self.keyFileBytesMax
        guard bytes.count > 0 else { throw .invalidArgument("the secret is empty") }
        guard bytes.count <= bytesMax else { throw .invalidArgument("the secret is longer than \(bytesMax) bytes") }
        self.kind = kind
        self.bytes = bytes
        self.endedInCarriageReturn = endedInCarriageReturn
    }

    package var byteCount: Int {
        bytes.count
    }

    /// Returns a copy of the secret, for work that takes two calls.
    ///
    /// - Throws: `.inputOutputFailed` if the system gives no memory.
    public borrowing func copy() throws(StoreClientError) -> SecretInput {
        let copied = try bytes.withUnsafeBytes { (source) throws(StoreClientError) in try LockedBytes(copying: source) }
        return try SecretInput(kind: kind, bytes: copied)
    }

    /// Returns whether two secrets have the same bytes (a passphrase typed twice). The time it takes does not depend on
    /// where they differ.
    public borrowing func hasSameBytes(as other: borrowing SecretInput) -> Bool {
        bytes.withUnsafeBytes { left in
            other.bytes.withUnsafeBytes { right in
                guard left.count == right.count else { return false }
                var difference: UInt8 = 0
                for index in left.indices {
                    difference |= left[index] ^ right[index]
                }
                return difference == 0
            }
        }
    }
}

extension KeySlotKind {
    /// True if a person types secrets of this kind.
    fileprivate var isText: Bool {
        self == .passphrase || self == .recoveryCode
    }
}

extension SecretInput {
    consuming func takeBytes() -> LockedBytes {
        bytes
    }
}
