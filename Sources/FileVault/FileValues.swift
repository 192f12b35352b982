public import FoundationEssentials
import StoreClient

/// How the bytes of a file are to be read.
public enum FileEncoding: Hashable, Sendable {
    /// As they are.
    case byteBuffer
    /// As text.
    case string(encoding: FileStringEncoding)
}

/// The content of a file, or a part of it, with how it is to be written.
public enum FileEncodingValue: Hashable, Sendable {
    /// Bytes.
    case byteBuffer(value: Data)
    /// Text, in this encoding.
    case string(encoding: FileStringEncoding, value: String)
}

/// The encoding of text. A byte order mark at the start of a file is not part of the text that is read.
public enum FileStringEncoding: String, Hashable, Sendable, CaseIterable {
    /// Bytes below 128.
    case ascii
    /// UTF-8. Written without a mark.
    case utf8
    /// UTF-16. Written with a byte order mark, the lowest byte first; read in the order that the mark says, without one
    /// the highest byte first, as RFC 2781 has it.
    case utf16
    /// UTF-16, the lowest byte first. Written without a mark.
    case utf16LittleEndian
    /// UTF-16, the highest byte first. Written without a mark.
    case utf16BigEndian
}

/// The trees of the vault.
public enum DirectoryType: String, Hashable, Sendable, CaseIterable {
    /// For what can be fetched or computed again.
    case cache
    /// For documents.
    case document
    /// For what an application needs beside them.
    case library
    /// Like `library`, for what is not to leave the device.
    case notSyncedLibrary
    /// For what may go at any time.
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

/// Where a path starts.
public enum FileSearchPath: Hashable, Sendable {
    /// In this tree.
    case directory(type: DirectoryType)
    /// It is a URL.
    case raw
}

/// What is known of a file or directory.
public struct ItemAttributes: Hashable, Sendable {
    /// What an item is.
    public enum ItemType: String, Hashable, Sendable {
        /// It holds files and directories.
        case directory
        /// It has a content.
        case file
    }

    /// When it was made, in milliseconds since 1970.
    public let creationDateTimestamp: Double
    /// When its content was last written, in milliseconds since 1970; of a directory: when something in it was made,
    /// removed or renamed.
    public let modificationDateTimestamp: Double
    /// Bytes of its content; 0 of a directory.
    public let size: UInt64
    /// What it is.
    public let type: ItemType

    init(_ item: VaultItem) {
        creationDateTimestamp = Double(item.createdAt.microseconds) / 1_000
        modificationDateTimestamp = Double(item.modifiedAt.microseconds) / 1_000
        size = item.contentBytes
        type = item.kind == .directory ? .directory : .file
    }
}
