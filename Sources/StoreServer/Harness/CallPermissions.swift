internal import StoreProtocol

/// Which calls one connection may use: its grants, resolved once so that a request costs one bit test.
struct CallPermissions: Hashable, Sendable {
    /// One bit for each field number of a call that may be used whatever it is about.
    private var everywhere = CallSet()
    /// Calls that may be used on entries with certain names.
    private var somewhere = CallSet()
    private let grants: Grants
    /// What the answers to all calls may hold.
    let everyAnswerScope: AnswerScope

    init(_ grants: Grants) {
        self.grants = grants
        everyAnswerScope = AnswerScope(grants)
        for kind in CallKind.allCases {
            if grants.allows(kind.requirement) {
                everywhere.insert(kind)
            } else if kind.namesEntry, grants.allowsSome(kind.requirement) {
                somewhere.insert(kind)
            }
        }
    }

    /// True when the call may be used, if only on some names.
    func allows(_ kind: CallKind) -> Bool {
        everywhere.contains(kind) || somewhere.contains(kind)
    }

    /// True when nothing depends on what the call is about.
    func allowsEverywhere(_ kind: CallKind) -> Bool {
        everywhere.contains(kind)
    }

    /// Whether the call may be used on the entry with this name.
    func allows(_ kind: CallKind, name: String) -> Bool {
        everywhere.contains(kind) || grants.allows(kind.requirement, name: name)
    }
}

/// A set of calls, one bit each.
private struct CallSet: Hashable, Sendable {
    private var words = SIMD8<UInt64>.zero

    func contains(_ kind: CallKind) -> Bool {
        words[Int(kind.rawValue / 64)] & Self.bit(kind) != 0
    }

    /// Field numbers of calls are below 512: a greater one traps here, when the first connection is made.
    mutating func insert(_ kind: CallKind) {
        words[Int(kind.rawValue / 64)] |= Self.bit(kind)
    }

    private static func bit(_ kind: CallKind) -> UInt64 {
        1 << UInt64(kind.rawValue % 64)
    }
}
