/// The id of one history of a store: a sequence of commits in which each revision and sequence number has one meaning.
/// A store gets a new history when numbers may be reused: when a backup replaces it, or when its last commits were
/// lost. Store the history together with every revision that you store.
public struct HistoryID: Hashable, Sendable {
    package static let byteCount = 16

    /// The id that stands for no store.
    package static let none = HistoryID(high: 0, low: 0)

    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns a new random id, which is never `none`.
    package static func random() -> HistoryID {
        HistoryID(high: .random(in: 1 ... .max), low: .random(in: .min ... .max))
    }

    /// Creates an id from its bytes; returns `nil` unless there are 16.
    public init?(bytes: some Sequence<UInt8>) {
        let id = Array(bytes.prefix(Self.byteCount + 1)).withUnsafeBytes { HistoryID($0) }
        guard let id else { return nil }
        self = id
    }

    /// Creates an id from its bytes; returns `nil` unless there are 16.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// The 16 bytes of the id, as in the protocol.
    public var bytes: [UInt8] {
        withUnsafeBytes { [UInt8]($0) }
    }

    /// Lends the 16 bytes to `body`.
    @inline(__always)
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Swift.withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }
}

extension HistoryID: LosslessStringConvertible {
    /// The id as 32 hexadecimal digits.
    public var description: String {
        Hexadecimal.encode(bytes)
    }

    /// Creates an id from its description; returns `nil` unless the text is 32 hexadecimal digits.
    public init?(_ description: String) {
        guard let bytes = Hexadecimal.decode(description) else { return nil }
        self.init(bytes: bytes)
    }
}

/// Encodes the id as its description, so that it can be stored beside a revision in any format.
extension HistoryID: Codable {
    /// Reads 32 hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = HistoryID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "the id of a history must have 32 hexadecimal digits")
        }
        self = id
    }

    /// Writes 32 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
