/// Where a contact stands in the list: named ones by lower-cased name, the nameless ones behind all of them.
enum ContactSortKey {
    static func make(displayName: String?) -> String {
        guard let name = displayName?.nilIfEmpty else {
            return "1"
        }
        return "0" + name.lowercased()
    }
}
