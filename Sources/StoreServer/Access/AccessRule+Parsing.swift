import StoreBasics

/// The text form of rules in the configuration:
///
///     rule    = subject " " right *("," right)
///     subject = ("user:" / "group:") name-or-number
///     right   = "administration" / "replication" / area ":" access [":" pattern]
///     area    = "conversations" / "messages" / ... / "*"
///     access  = "read" / "write" / "readwrite"
///
/// For example `user:alice messages:read,conversations:readwrite` and `group:1234 scenes:read:notes.*`.
extension AccessRule {
    /// Parses a rule and resolves its user or group name once. An unknown name is an error, not a rule without effect.
    ///
    /// - Throws: `ServerError` with code `.configuration`.
    package init(parsing text: String, accounts: AccountDirectory) throws(ServerError) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2 else {
            throw Self.malformed(text, "expected a subject, a space, and rights separated by commas without spaces")
        }
        let subject = try Self.subject(parts[0], of: text, accounts: accounts)
        var rights: [AccessRight] = []
        for right in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            rights += try Self.rights(right, of: text)
        }
        self.init(subject: subject, rights: rights)
    }

    private static func subject(
        _ subject: Substring, of text: String, accounts: AccountDirectory
    ) throws(ServerError) -> Subject {
        let parts = subject.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw malformed(text, "the subject must be user:NAME or group:NAME")
        }
        let name = String(parts[1])
        switch parts[0] {
        case "user":
            guard let user = accounts.user(name) else { throw malformed(text, "there is no user '\(name)'") }
            return .user(user)
        case "group":
            guard let group = accounts.group(name) else { throw malformed(text, "there is no group '\(name)'") }
            return .group(group)
        default:
            throw malformed(text, "the subject must be user:NAME or group:NAME")
        }
    }

    private static func rights(_ right: Substring, of text: String) throws(ServerError) -> [AccessRight] {
        if right == "administration" {
            return [.administration]
        }
        if right == "replication" {
            return [.replication]
        }
        let parts = right.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2 else {
            throw malformed(text, "'\(right)' must be administration, replication or AREA:ACCESS")
        }
        let pattern = parts.count == 3 ? String(parts[2]) : nil
        guard let access = Access(rawValue: String(parts[1])) else {
            throw malformed(text, "the access '\(parts[1])' must be read, write or readwrite")
        }
        var rights: [AccessRight] = []
        for area in try areas(parts[0], access, of: text) {
            let pattern = try namePattern(pattern, in: area, of: text)
            if access != .write {
                rights.append(.read(area, pattern))
            }
            if access != .read, area.isInStore {
                rights.append(.write(area, pattern))
            }
        }
        return rights
    }

    private enum Access: String {
        case read, write, readwrite
    }

    private static func areas(
        _ name: Substring, _ access: Access, of text: String
    ) throws(ServerError) -> [Area] {
        if name == "*" {
            return Area.allCases
        }
        guard let area = Area(rawValue: String(name)) else {
            let known = Area.allCases.map(\.rawValue).joined(separator: ", ")
            throw malformed(text, "there is no area '\(name)'; the areas are \(known) and * for all")
        }
        guard area.isInStore || access == .read else { throw malformed(text, "'\(area.rawValue)' can only be read") }
        return [area]
    }

    private static func namePattern(
        _ pattern: String?, in area: Area, of text: String
    ) throws(ServerError) -> NamePattern? {
        guard let pattern else { return nil }
        guard area.hasNames else {
            throw malformed(text, "entries of '\(area.rawValue)' have no names: write the rule without a pattern")
        }
        guard let parsed = NamePattern(pattern) else {
            throw malformed(
                text, "the pattern '\(pattern)' must have 1 to 256 bytes, each a letter, a digit or one of . _ - / *")
        }
        return parsed
    }

    private static func malformed(_ text: String, _ cause: String) -> ServerError {
        ServerError(.configuration, "access rule '\(text)': \(cause)")
    }
}
