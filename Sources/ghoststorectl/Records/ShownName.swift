/// A person or conversation in a table: a name, or an ID if there is no name.
struct ShownName {
    private let name: String?
    private let id: String
    private let holders: NameHolders?
    private var isClaimed = false

    /// - Parameters:
    ///   - id: The session ID. A part of it is shown if another person or conversation has the same name. It is empty
    ///     for the person at this store, and is then never shown.
    ///   - holders: All people or conversations that the list has named so far. The new name is added to them.
    init(_ name: String, of id: String, among holders: NameHolders) {
        (self.name, self.id, self.holders) = (name, id, holders)
        holders.add(name, of: id)
    }

    init(id: String) {
        (name, self.id, holders) = (nil, id, nil)
    }

    /// Creates a name that a message has for its sender. It is always shown with a part of the session ID, because a
    /// sender may use the name of another person.
    init(claimed name: String, of id: String) {
        (self.name, self.id, holders, isClaimed) = (name, id, nil, true)
    }

    var isNamed: Bool { name != nil }

    /// The name or the ID. All rows of a page are created before the first is shown, so every row of a page knows
    /// whether its name is shared.
    var text: String {
        guard let name else { return id }
        return distinction.map { "\(name) (\($0))" } ?? name
    }

    var cell: Table.Cell {
        guard name != nil else { return Table.Cell(id: id) }
        return distinction == nil ? Table.Cell(text) : Table.Cell(keepingEndOf: text)
    }

    private var distinction: String? {
        guard !isClaimed else { return id.isEmpty ? nil : String(id.prefix(NameHolders.distinctionCharactersMin)) }
        return name.flatMap { holders?.distinction(of: id, called: $0) }
    }
}

/// The people, or the conversations, that a list has named so far. Only one task uses it.
final class NameHolders {
    static let distinctionCharactersMin = 8

    private var sessionIDs: [String: Set<String>] = [:]

    func add(_ name: String, of sessionID: String) {
        sessionIDs[name, default: []].insert(sessionID)
    }

    /// Returns the beginning of a session ID, long enough that no other holder of the name has the same beginning;
    /// `nil` if there is no other holder.
    func distinction(of sessionID: String, called name: String) -> String? {
        let others = sessionIDs[name, default: []].subtracting([sessionID])
        guard !sessionID.isEmpty, !others.isEmpty else { return nil }
        var length = Self.distinctionCharactersMin
        while length < sessionID.count, others.contains(where: { $0.hasPrefix(sessionID.prefix(length)) }) {
            length += 1
        }
        return String(sessionID.prefix(length))
    }
}
