/// A channel's name, which is the end of a subject: `device.<16 hex>`, `join.<32 hex>.request`,
/// `join.<32 hex>.welcome`, `snapshot.<32 hex>` or `ask.<16 hex>`. Another one would be a subject that is not the
/// agent's to touch.
struct ChannelName: Sendable, Hashable {
    enum Kind: String, Sendable, CaseIterable {
        case device
        case join
        case snapshot
        case ask
    }

    let text: String
    let kind: Kind

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        let digits =
            switch kind {
            case .device, .ask: 16
            case .join, .snapshot: 32
            }
        let isHexadecimal = parts[1].utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard isHexadecimal, parts[1].utf8.count == digits else { return nil }
        switch (kind, parts.count) {
        case (.join, 3): guard ["request", "welcome"].contains(parts[2]) else { return nil }
        case (.device, 2), (.snapshot, 2), (.ask, 2): break
        default: return nil
        }
        self.text = text
        self.kind = kind
    }
}
