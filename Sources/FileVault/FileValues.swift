public import FoundationEssentials
import StoreClient

/// The way in which the bytes of a file are read.
public enum FileEncoding: Hashable, Sendable {
    /// The bytes are read unchanged.
    case byteBuffer
    /// The bytes are decoded as text.
    case string(encoding: FileStringEncoding)
}

/// The content of a file, or a part of the content, and the way in which its bytes are written.
public enum FileEncodingValue: Hashable, Sendable {
    /// Bytes.
    case byteBuffer(value: Data)
    /// Text in the given encoding.
    case string(encoding: FileStringEncoding, value: String)
}

/// An encoding of text. A byte order mark at the start of a file is not a part of the text that is read.
public enum FileStringEncoding: String, Hashable, Sendable, CaseIterable {
    /// ASCII: bytes below 128.
    case ascii
    /// UTF-8. It is written without a byte order mark.
    case utf8
    /// UTF-16. It is written in little-endian order with a byte order mark. It is read in the order of the mark, and
    /// without a mark in big-endian order, as RFC 2781 recommends.
    case utf16
    /// UTF-16 in little-endian order. It is written without a mark.
    case utf16LittleEndian
    /// UTF-16 in big-endian order. It is written without a mark.
    case utf16BigEndian
}

/// The areas of the vault, each of which is a directory tree.
public enum DirectoryType: String, Hashable, Sendable, CaseIterable {
    /// Files that can be fetched or computed again.
    case cache
    /// Documents of the user.
    case document
    /// Files that an application needs besides documents.
    case library
    /// Files as in `library`, except that they must not leave the device.
    case notSyncedLibrary
    /// Temporary files, which may be deleted at any time.
    case temporary

    var area: VaultArea {
        switch self {
        case .cache: .cache
        case .document: .document
        case .library: .library
        case .notSyncedLibrary: .notSyncedLibrary
        case .temporary: .temporary
        }
    }
}

/// The start of a path.
public enum FileSearchPath: Hashable, Sendable {
    /// The path starts in this area.
    case directory(type: DirectoryType)
    /// The path is a URL.
    case raw
}

/// The attributes of a file or directory.
public struct ItemAttributes: Hashable, Sendable {
    /// The vault has no other types of items, such as links.
    public enum ItemType: String, Hashable, Sendable {
        /// A directory.
        case directory
        /// A file.
        case file
    }

    /// The time at which the item was created, in milliseconds since 1970.
    public let creationDateTimestamp: Double
    /// The time at which the file's content was last written, in milliseconds since 1970. For a directory: the time at
    /// which an item in it was last created, removed or renamed.
    public let modificationDateTimestamp: Double
    /// The size of the file's content in bytes; 0 for a directory.
    public let size: UInt64
    /// The type of the item: a file or a directory.
    public let type: ItemType

    init(_ item: VaultItem) {
        creationDateTimestamp = Double(item.createdAt.microseconds) / 1_000
        modificationDateTimestamp = Double(item.modifiedAt.microseconds) / 1_000
        size = item.contentBytes
        type = item.kind == .directory ? .directory : .file
    }
}
