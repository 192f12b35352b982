package import StoreBasics

/// What of a store takes part in its group: the same on all its devices, fixed when the group is made.
package struct ReplicaSelection: Hashable, Sendable {
    package enum Area: String, Hashable, Sendable, CaseIterable {
        /// By session id.
        case contacts
        /// With their messages, drafts and reactions; by session id.
        case conversations
        /// By name of the scene; what all scenes share has the empty one, and takes part where there is no pattern.
        case scenes
        /// By area and path, as `documents/notes/today.txt`.
        case files
        /// By name, and of these such as were opened to be replicated.
        case logs
    }

    /// An area, or what of it has a name that matches.
    package struct Rule: Hashable, Sendable {
        package var area: Area
        /// `nil`: all of it.
        package var pattern: NamePattern?

        package init(area: Area, pattern: NamePattern?) {
            self.area = area
            self.pattern = pattern
        }

        /// - Parameter text: `AREA` or `AREA:PATTERN`.
        /// - Returns: `nil` for anything else.
        package init?(text: String) {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let area = parts.first.flatMap({ Area(rawValue: String($0)) }) else { return nil }
            self.area = area
            guard parts.count > 1 else { return }
            guard let pattern = NamePattern(String(parts[1])) else { return nil }
            self.pattern = pattern
        }

        package var text: String {
            pattern.map { "\(area.rawValue):\($0.text)" } ?? area.rawValue
        }
    }

    package static let rulesMax = 64

    package let rules: [Rule]

    /// - Returns: `nil` for none, and for more than `rulesMax`.
    package init?(_ rules: [Rule]) {
        guard 1...Self.rulesMax ~= rules.count else { return nil }
        self.rules = rules
    }

    /// Everything but what is temporary.
    package static let everything = ReplicaSelection(trusted: Area.allCases.map { Rule(area: $0, pattern: nil) })

    private init(trusted rules: [Rule]) {
        self.rules = rules
    }

    /// Whatever its names are.
    package func containsAll(_ area: Area) -> Bool {
        rules.contains { $0.area == area && $0.pattern == nil }
    }

    package func containsAny(of area: Area) -> Bool {
        rules.contains { $0.area == area }
    }

    package func contains(_ area: Area, _ name: String) -> Bool {
        rules.contains { $0.area == area && ($0.pattern?.matches(name) ?? true) }
    }
}

// MARK: As bytes

extension ReplicaSelection {
    /// The rules as texts, each with its number of bytes before it.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        rules.forEach { bytes.append(text: $0.text) }
        return bytes
    }

    package init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        var rules: [Rule] = []
        while !reader.isAtEnd {
            guard let rule = reader.text().flatMap(Rule.init(text:)) else { return nil }
            rules.append(rule)
        }
        self.init(rules)
    }
}
