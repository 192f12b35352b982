package import StoreBasics

/// The part of a store that is replicated. It is the same on all devices of a group and is fixed when the group is
/// created.
package struct ReplicaSelection: Hashable, Sendable {
    package enum Area: String, Hashable, Sendable, CaseIterable {
        /// Contacts, selected by session id.
        case contacts
        /// Conversations with their messages, drafts and reactions, selected by session id.
        case conversations
        /// Scenes, selected by name. The values that all scenes share have an empty name and are included only without
        /// a pattern.
        case scenes
        /// Files, selected by area and path, such as `document/notes/today.txt`.
        case files
        /// Logs, selected by name. Only logs that were opened for replication are included.
        case logs
    }

    /// An area, or the part of it whose names match a pattern.
    package struct Rule: Hashable, Sendable {
        package var area: Area
        /// The pattern; `nil` for the whole area.
        package var pattern: NamePattern?

        package init(area: Area, pattern: NamePattern?) {
            self.area = area
            self.pattern = pattern
        }

        /// Parses a rule.
        ///
        /// - Parameter text: `AREA` or `AREA:PATTERN`.
        /// - Returns: `nil` for any other text.
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

    /// Creates a selection from rules; returns `nil` for an empty list and for more than `rulesMax` rules.
    package init?(_ rules: [Rule]) {
        guard 1...Self.rulesMax ~= rules.count else { return nil }
        self.rules = rules
    }

    /// Selects all areas. Files in the vault areas for caches, temporary files and files that must not leave the device
    /// are never replicated.
    package static let everything = ReplicaSelection(trusted: Area.allCases.map { Rule(area: $0, pattern: nil) })

    private init(trusted rules: [Rule]) {
        self.rules = rules
    }

    /// Returns true if the whole area is selected, whatever the names are.
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

// MARK: Encoding

extension ReplicaSelection {
    /// The rules as texts, each preceded by its length.
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
