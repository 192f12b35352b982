import StoreBasics

@testable import StoreEngine

/// Ids of all kinds that messages have: UUIDs as the daemon creates them, short ids of which some are the beginning of
/// others, and both Unicode forms of one text.
enum MixedIDs {
    /// Returns the id with a number, of one of six kinds: `kind` modulo 6.
    static func text(_ kind: Int, _ number: Int64) -> String {
        switch kind % 6 {
        case 0: UUIDv7(milliseconds: UInt64(number / 3), order: UInt64(number % 3), random: UInt64(number)).description
        case 1: UUIDv7(milliseconds: UInt64(number), order: 0, random: 7).description.uppercased()
        case 2: "m\(number)"
        case 3: "caf\u{e9}\(number)"
        case 4: "cafe\u{301}\(number)"
        default: String(repeating: "x", count: Int(number % 100) + 1) + "\(number)"
        }
    }

    static func id(_ kind: Int, _ number: Int64) -> PostingID { PostingID(EntityID(trusted: text(kind, number))) }
}

extension PostingPlace {
    init(microseconds: Int64, id: String, sequence: Int64) {
        self.init(microseconds: microseconds, id: PostingID(EntityID(trusted: id)), sequence: sequence)
    }
}
