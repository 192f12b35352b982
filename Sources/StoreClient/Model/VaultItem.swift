/// A tree of the vault. The raw value is its name in texts of paths.
public enum VaultArea: String, Hashable, Sendable, CaseIterable, Codable {
    /// What can be fetched or computed again.
    case cache
    /// Documents.
    case document
    /// What an application needs beside them.
    case library
    /// Like `library`, for what is not to leave the device.
    case notSyncedLibrary
    /// What may go at any time.
    case temporary
}

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

/// What is known of a file or directory of the vault beside its content.
public struct VaultItem: Hashable, Sendable, Codable {
    /// What it is.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// It holds files and directories.
        case directory
        /// It has a content.
        case file
        /// A kind this client does not know yet.
        case unknown
    }

    /// Its last name; of a root that of the area.
    public var name: String
    /// What it is.
    public var kind: Kind
    /// Bytes of its content; 0 of a directory.
    public var contentBytes: UInt64
    /// When it was made.
    public var createdAt: Timestamp
    /// Of a file: when its content was last written. Of a directory: when something in it was made, removed or renamed.
    public var modifiedAt: Timestamp
    /// The store's when it was made, moved or its content was last written; 0 for a root that never held anything.
    public var revision: UInt64

    /// For tests and previews: the calls of a client make their own.
    public init(
        name: String, kind: Kind, contentBytes: UInt64 = 0, createdAt: Timestamp, modifiedAt: Timestamp,
        revision: UInt64
    ) {
        self.name = name
        self.kind = kind
        self.contentBytes = contentBytes
        self.createdAt = createdAt
        self.modifiedAt = modifiedAt
        self.revision = revision
    }
}

/// A page of what a directory holds, by the bytes of names.
public struct VaultItemPage: ListPage, CursorPage, Codable {
    /// At most as many as were asked for.
    public var items: [VaultItem]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?

    /// For tests and previews: the calls of a client make their own.
    public init(items: [VaultItem], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }

    /// `items`.
    public var elements: [VaultItem] { items }
}

/// A part of a file.
public struct FilePiece: Hashable, Sendable {
    /// Fewer than asked for at the end of the file, or where that is more than one answer holds.
    public var bytes: [UInt8]
    /// The file at the moment of the read.
    public var file: VaultItem

    /// For tests and previews: the calls of a client make their own.
    public init(bytes: [UInt8], file: VaultItem) {
        self.bytes = bytes
        self.file = file
    }
}

/// How much an area of the vault holds.
public struct VaultAreaUsage: Hashable, Sendable, Codable {
    /// Which.
    public var area: VaultArea
    /// Files in it, all the way down.
    public var fileCount: Int
    /// Directories in it, all the way down.
    public var directoryCount: Int
    /// Of all its files, also where copies share a content.
    public var contentBytes: UInt64
    /// What these may be; 0: no bound.
    public var contentBytesMax: UInt64

    /// For tests and previews: the calls of a client make their own.
    public init(
        area: VaultArea, fileCount: Int, directoryCount: Int, contentBytes: UInt64, contentBytesMax: UInt64
    ) {
        self.area = area
        self.fileCount = fileCount
        self.directoryCount = directoryCount
        self.contentBytes = contentBytes
        self.contentBytesMax = contentBytesMax
    }
}
