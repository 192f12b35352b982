package import StoreBasics

/// The properties of a file or a directory, without its content.
package struct FileItem: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case directory
        case file(byteCount: UInt64)
    }

    package var name: FileName
    package var kind: Kind
    package var createdAt: Timestamp
    /// When a file's content was last written, or when something in a directory was created, removed or renamed.
    package var modifiedAt: Timestamp
    /// The store's revision at which the file or directory was created or moved, or the content of the file was last
    /// written.
    package var revision: UInt64
}

/// A page of a directory, in the order of the bytes of names.
package struct FileListPage: Sendable {
    package var items: [FileItem]
    /// The cursor of the next page; `nil` on the last page.
    package var nextCursor: String?
}
