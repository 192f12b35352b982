/// A path in the vault. It is data, and never a path of the host's file system.
public struct VaultPath: Hashable, Sendable {
    /// The area, which is a tree of directories and files.
    public var area: VaultArea
    /// The names from the root down, separated by slashes; empty for the root itself. Redundant slashes are removed: at
    /// the start, at the end and next to another slash. The daemon rejects `.` and `..`.
    public let subpath: String

    /// - Parameters:
    ///   - area: The area.
    ///   - subpath: 1 to 128 names of 1 to 255 bytes each, together at most 4,096 bytes; empty for the root.
    public init(_ area: VaultArea, _ subpath: String = "") {
        self.area = area
        // Split by bytes: a slash followed by a combining mark is one character, but still a slash.
        let names = subpath.utf8.split(separator: UInt8(ascii: "/"))
        self.subpath = names.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// Creates a path from a text that begins with the area.
    ///
    /// - Parameter text: The form of `description` and of the IDs of changes: `document/notes/one.txt`.
    /// - Returns: `nil` if the text does not begin with an area.
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

    /// True for the root of an area.
    public var isRoot: Bool { subpath.isEmpty }

    /// The last name; for a root, the name of the area.
    public var name: String { names.last ?? area.rawValue }

    /// Returns the path of an entry with this name in the directory.
    public func appending(_ name: String) -> VaultPath {
        VaultPath(area, isRoot ? name : subpath + "/" + name)
    }
}

extension VaultPath: CustomStringConvertible {
    /// The path with the area before it, as in IDs of changes and in access rules.
    public var description: String {
        isRoot ? area.rawValue : area.rawValue + "/" + subpath
    }
}
