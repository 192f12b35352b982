import StoreClient

/// The names a dialog has in the store: the same line at the same place has the same ones every time, so that a
/// second import updates and never duplicates; equal lines at different places stay different conversations.
struct DialogIdentity: Hashable, Sendable {
    private static let prefix = "dialog"
    private static let lineDigits = 8
    private static let hashDigits = 16
    /// Where the made-up times start: 2024-01-01T00:00:00Z. Lines are a second apart, turns a millisecond.
    private static let epochMicroseconds: Int64 = 1_704_067_200_000_000

    /// Counted from 1.
    let lineNumber: UInt64
    let contentHash: UInt64

    init(lineNumber: UInt64, dialog: DialogLine) {
        self.lineNumber = lineNumber
        contentHash = Self.hash(dialog.object.closed)
    }

    /// `nil` for a session id that no dialog import made.
    init?(sessionID: String) {
        let parts = sessionID.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.prefix, parts[1].utf8.count >= Self.lineDigits,
            parts[2].utf8.count == Self.hashDigits, let lineNumber = UInt64(parts[1]),
            let contentHash = UInt64(parts[2], radix: 16)
        else {
            return nil
        }
        self.lineNumber = lineNumber
        self.contentHash = contentHash
    }

    /// Starts with the line's number, so that ids grow along the file: ids in order are the cheapest for the store.
    var sessionID: String {
        let line = Self.padded(String(lineNumber), to: Self.lineDigits)
        return "\(Self.prefix)-\(line)-" + Self.padded(String(contentHash, radix: 16), to: Self.hashDigits)
    }

    func messageID(turn: Int) -> String {
        "\(sessionID)-" + Self.padded(String(turn), to: 4)
    }

    func timestamp(turn: Int) -> Timestamp {
        let (offset, overflow) = lineNumber.multipliedReportingOverflow(by: 1_000_000)
        return Timestamp(microseconds: Self.epochMicroseconds)
            .advanced(byMicroseconds: overflow ? .max : Int64(clamping: offset))
            .advanced(byMicroseconds: Int64(turn) * 1_000)
    }

    /// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/). No secret hangs on it: the line's number already
    /// tells lines apart.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }

    private static func padded(_ digits: String, to count: Int) -> String {
        String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
