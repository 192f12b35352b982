import Glibc
import StoreBasics

/// A secret that opens a key slot. It lives in memory that is locked, left out of core dumps and wiped at the end; it
/// is never held in a `String`, an array or `Data`, and a call consumes it.
public struct SecretInput: ~Copyable, Sendable {
    /// Bytes of the longest passphrase, in UTF-8.
    public static let passphraseBytesMax = 1_024
    /// Bytes of the longest key file or credential.
    public static let keyFileBytesMax = 4_096

    /// What kind of slot it opens.
    public let kind: KeySlotKind
    let bytes: LockedBytes
    /// True if a carriage return followed the secret where it was read. It is not part of the secret.
    package let endedInCarriageReturn: Bool

    /// Copies the secret and wipes where it came from, whatever happens.
    /// - Throws: `.invalidArgument` when it is empty or longer than its kind may be; `.inputOutputFailed` when the
    ///   system gives no memory.
    public init(
        kind: KeySlotKind, copyingAndWiping source: UnsafeMutableRawBufferPointer
    ) throws(StoreClientError) {
        defer { source.wipe() }
        try self.init(kind: kind, bytes: LockedBytes(copying: UnsafeRawBufferPointer(source)))
    }

    /// Reads a descriptor to its end and leaves it open. Of a passphrase or recovery code, one line end is not part of
    /// it: a newline, a carriage return or both. Blocks the calling thread.
    /// - Throws: `.inputOutputFailed` when it cannot be read; `.invalidArgument` when it is empty or too long.
    public init(kind: KeySlotKind, readingFrom descriptor: CInt) throws(StoreClientError) {
        try self.init(kind: kind, readingFrom: descriptor, waiting: SecretReader.untilReadable)
    }

    /// The same, and waits in its own way until there is something to read.
    package init(
        kind: KeySlotKind, readingFrom descriptor: CInt,
        waiting: (_ descriptor: CInt) throws(StoreClientError) -> Void
    ) throws(StoreClientError) {
        var lineEnd: SecretReader.LineEnd? = kind.isText ? SecretReader.LineEnd.none : nil
        let bytes = try SecretReader.read(descriptor, &lineEnd, waiting: waiting)
        try self.init(kind: kind, bytes: bytes, endedInCarriageReturn: lineEnd == .carriageReturn)
    }

    /// Reads a file. Of a passphrase or recovery code, one line end is not part of it: a newline, a carriage return or
    /// both.
    /// - Throws: `.inputOutputFailed` when it cannot be read; `.invalidArgument` when it is
    ///   empty or too long.
    public init(kind: KeySlotKind, file path: String) throws(StoreClientError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw StoreClientError("could not open \(path)", SystemError.last) }
        defer { close(descriptor) }
        try self.init(kind: kind, readingFrom: descriptor)
    }

    /// Asks the person at the terminal of this process (/dev/tty), without echo. Blocks the calling thread.
    /// - Throws: `.inputOutputFailed` when there is no terminal; `.invalidArgument` when nothing or too much was typed.
    public init(kind: KeySlotKind, prompt: String) throws(StoreClientError) {
        try self.init(kind: kind, bytes: SecretReader.prompt(prompt))
    }

    /// The same, and waits in its own way until a line can be read.
    package init(
        kind: KeySlotKind, prompt: String, waiting: (_ terminal: CInt) throws(StoreClientError) -> Void
    ) throws(StoreClientError) {
        try self.init(kind: kind, bytes: SecretReader.prompt(prompt, waiting: waiting))
    }

    private init(
        kind: KeySlotKind, bytes: consuming LockedBytes, endedInCarriageReturn: Bool = false
    ) throws(StoreClientError) {
        let bytesMax = kind.isText ? Self.passphraseBytesMax : Self.keyFileBytesMax
        guard bytes.count > 0 else {
            throw .invalidArgument("the secret is empty")
        }
        guard bytes.count <= bytesMax else {
            throw .invalidArgument("the secret is longer than \(bytesMax) bytes")
        }
        self.kind = kind
        self.bytes = bytes
        self.endedInCarriageReturn = endedInCarriageReturn
    }

    /// How long it is.
    package var byteCount: Int {
        bytes.count
    }

    /// Another one of the same bytes, for work that takes two calls.
    /// - Throws: `.inputOutputFailed` when the system gives no memory.
    public borrowing func copy() throws(StoreClientError) -> SecretInput {
        let copied = try bytes.withUnsafeBytes { (source) throws(StoreClientError) in try LockedBytes(copying: source) }
        return try SecretInput(kind: kind, bytes: copied)
    }

    /// Whether two secrets are the same bytes (a passphrase typed twice). Takes the same time wherever they differ.
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
    /// Whether a person types it.
    fileprivate var isText: Bool {
        self == .passphrase || self == .recoveryCode
    }
}

extension SecretInput {
    consuming func takeBytes() -> LockedBytes {
        bytes
    }
}
