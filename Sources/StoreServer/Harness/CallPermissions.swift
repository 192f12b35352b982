internal import StoreProtocol

/// Which calls one connection may use: its grants, resolved once so that a request costs one bit test.
struct CallPermissions: Hashable, Sendable {
    /// One bit for each field number from 0 to 191.
    private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)

    init(_ grants: Grants) {
        for kind in CallKind.allCases where grants.allows(kind.requirement) {
            insert(kind)
        }
    }

    func allows(_ kind: CallKind) -> Bool {
        let bit: UInt64 = 1 << UInt64(kind.rawValue % 64)
        return switch kind.rawValue / 64 {
        case 0: words.0 & bit != 0
        case 1: words.1 & bit != 0
        case 2: words.2 & bit != 0
        default: false
        }
    }

    private mutating func insert(_ kind: CallKind) {
        let bit: UInt64 = 1 << UInt64(kind.rawValue % 64)
        switch kind.rawValue / 64 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: preconditionFailure("field numbers of calls are below 192")
        }
    }

    static func == (left: CallPermissions, right: CallPermissions) -> Bool {
        left.words == right.words
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
    }
}
