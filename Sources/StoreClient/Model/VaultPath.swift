/// A place in the vault: data, and never a path of the host.
public struct VaultPath: Hashable, Sendable {
    /// The tree.
    public var area: VaultArea
    /// Names with slashes between them, from the root down; empty for the root itself. Slashes at the start, at the end
    /// and beside another mean nothing, and are taken away; the daemon refuses `.` and `..`.
    public let subpath: String

    /// - Parameters:
    ///   - area: the tree.
    ///   - subpath: 1 to 128 names of 1 to 255 bytes each, together at most 4,096, or none for the root.
    public init(_ area: VaultArea, _ subpath: String = "") {
        self.area = area
        // By bytes: a slash with a combining mark behind it is one character, and a slash all the same.
        let names = subpath.utf8.split(separator: UInt8(ascii: "/"))
        self.subpath = names.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// - Parameter text: as `description` and ids of changes have it: `document/notes/one.txt`.
    /// - Returns: `nil` where the text does not begin with an area.
    public init?(_ text: String) {
        let slash = UInt8(ascii: "/")
        let first = text.utf8.prefix { $0 != slash }
        guard let area = VaultArea(rawValue: String(Substring(first))) else { return nil }
        self.init(area, String(Substring(text.utf8.dropFirst(first.count))))
    }

    /// The names from the root down; none for the root itself.
    public var names: [String] {
        subpath.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// Whether it is the root of its area.
    public var isRoot: Bool { subpath.isEmpty }

    /// Its last name; of a root that of the area.
    public var name: String { names.last ?? area.rawValue }

    /// The place of this name in it.
    public func appending(_ name: String) -> VaultPath {
        VaultPath(area, isRoot ? name : subpath + "/" + name)
    }
}

extension VaultPath: CustomStringConvertible {
    /// With the area before it, as in ids of changes and in access rules.
    public var description: String {
        isRoot ? area.rawValue : area.rawValue + "/" + subpath
    }
}
