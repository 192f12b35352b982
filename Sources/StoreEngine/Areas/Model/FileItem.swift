package import StoreBasics

/// What is known of a file or directory beside its content.
package struct FileItem: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case directory
        case file(byteCount: UInt64)
    }

    package var name: FileName
    package var kind: Kind
    package var createdAt: Timestamp
    /// Of a file: when its content was last written. Of a directory: when something in it was made, removed or renamed.
    package var modifiedAt: Timestamp
    /// The store's revision when it was made, moved or its content was last written.
    package var revision: UInt64
}

/// A page of a directory, in the order of the bytes of names.
package struct FileListPage: Sendable {
    package var items: [FileItem]
    /// `nil` on the last page.
    package var nextCursor: String?
}
