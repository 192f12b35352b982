public import FoundationEssentials
public import StoreClient

/// Files and directories in the vault of a store, with the calls of the
/// [ion-ios-filesystem](https://github.com/ionic-team/ion-ios-filesystem) library.
///
/// ```swift
/// let vault = FileVault(client: store)
/// let url = try vault.getFileURL(atPath: "notes/today.txt", withSearchPath: .directory(type: .document))
/// try await vault.saveFile(
///     atURL: url, withEncodingAndData: .string(encoding: .utf8, value: "hello"), includeIntermediateDirectories: true)
/// ```
///
/// A URL names a place in the vault and never one of the host. Any number of tasks and processes may use a vault at
/// once; what is written is on disk when the call returns.
public struct FileVault: Sendable {
    let client: StoreClient

    /// - Parameter client: stays the caller's; it must be open for as long as the vault is used.
    public init(client: StoreClient) {
        self.client = client
    }

    /// The URL of a place in the vault. Nothing needs to be there.
    ///
    /// - Parameters:
    ///   - path: in a tree: names with slashes between them, as they are; `.` and `..` are resolved. Raw: a URL that
    ///     this gave before, or a `file` URL of an application's container (`file:///Documents/notes/today.txt`), whose
    ///     `Documents`, `Library`, `Library/Caches`, `Library/NoCloud` and `tmp` are the trees of the vault.
    ///   - searchPath: where the path starts.
    /// - Throws: ``FileVaultError/cantCreateURL(forPath:)`` for what leads out of the vault.
    public func getFileURL(
        atPath path: String, withSearchPath searchPath: FileSearchPath
    ) throws(FileVaultError) -> URL {
        try VaultURL.url(of: try VaultURL.path(path, searchPath))
    }
}

// MARK: Directories

extension FileVault {
    /// Makes a directory.
    ///
    /// - Parameters:
    ///   - url: the directory's.
    ///   - includeIntermediateDirectories: whether those that it lies in are made too, where they are missing.
    /// - Throws: ``FileVaultError/missingParentFolder``, then ``FileVaultError/alreadyExists``.
    public func createDirectory(
        atURL url: URL, includeIntermediateDirectories: Bool
    ) async throws(FileVaultError) {
        let path = try VaultURL.path(of: url)
        try await FileVaultError.mapping(path) { () throws(StoreClientError) in
            _ = try await client.createDirectory(at: path, createsParents: includeIntermediateDirectories)
        }
    }

    /// Removes a directory.
    ///
    /// - Parameters:
    ///   - url: the directory's.
    ///   - includeIntermediateDirectories: also one that is not empty, with all it holds.
    /// - Throws: ``FileVaultError/directoryNotFound(atPath:)``, ``FileVaultError/notEmpty``.
    public func removeDirectory(
        atURL url: URL, includeIntermediateDirectories: Bool
    ) async throws(FileVaultError) {
        let path = try VaultURL.path(of: url)
        try await FileVaultError.mapping(path) { () throws(StoreClientError) in
            _ = try await client.removeDirectory(at: path, withChildren: includeIntermediateDirectories)
        }
    }

    /// The URLs of what a directory holds, by the bytes of names.
    ///
    /// - Throws: ``FileVaultError/directoryNotFound(atPath:)``.
    public func listDirectory(atURL url: URL) async throws(FileVaultError) -> [URL] {
        let path = try VaultURL.path(of: url)
        let items = try await FileVaultError.mapping(path) { () throws(StoreClientError) in
            try await client.vaultItems(in: path).collect()
        }
        var urls: [URL] = []
        for item in items {
            urls.append(try VaultURL.url(of: path.appending(item.name)))
        }
        return urls
    }
}

// MARK: Files

extension FileVault {
    /// Reads a file into memory, as it was at one moment. If the file is written meanwhile, reads it again, up to 16
    /// times.
    ///
    /// - Throws: ``FileVaultError/fileNotFound(atPath:)``, ``FileVaultError/cantDecodeData(usingEncoding:)``,
    ///   ``FileVaultError/notAbleToReadFile`` where it is written again and again while it is read.
    public func readEntireFile(
        atURL url: URL, withEncoding encoding: FileEncoding
    ) async throws(FileVaultError) -> FileEncodingValue {
        try await readRange(atURL: url, offset: 0, length: 0, withEncoding: encoding)
    }

    /// Reads a part of a file into memory, with the labels of version 1.1 of the original library.
    ///
    /// - Parameters:
    ///   - url: the file's.
    ///   - encoding: how the bytes are read; text must not be cut within a character.
    ///   - offset: where the part starts; below 0: at the beginning. At the end of the file and behind it the part is
    ///     empty.
    ///   - length: the most bytes that are read; 0 or less: to the end.
    /// - Throws: as ``readEntireFile(atURL:withEncoding:)``.
    public func readEntireFile(
        atURL url: URL, withEncoding encoding: FileEncoding, andOffset offset: Int, andLength length: Int
    ) async throws(FileVaultError) -> FileEncodingValue {
        try await readRange(atURL: url, offset: UInt64(max(0, offset)), length: length, withEncoding: encoding)
    }

    /// Reads a part of a file into memory. UTF-16 is read in the byte order that the file's mark says, wherever the
    /// part starts.
    ///
    /// - Parameters:
    ///   - url: the file's.
    ///   - offset: where it starts; at the end of the file and behind it the part is empty.
    ///   - length: the most bytes that are read; 0 or less: to the end.
    ///   - encoding: how the bytes are read; text must not be cut within a character.
    /// - Throws: as ``readEntireFile(atURL:withEncoding:)``.
    public func readRange(
        atURL url: URL, offset: UInt64, length: Int, withEncoding encoding: FileEncoding
    ) async throws(FileVaultError) -> FileEncodingValue {
        let path = try VaultURL.path(of: url)
        let startBytes = offset > 0 ? encoding.markBytes : 0
        let (start, bytes) = try await FileVaultError.mappingRead(path) { () throws(StoreClientError) in
            try await client.readFile(
                at: path, from: offset, byteCount: length > 0 ? length : nil, startBytes: startBytes)
        }
        switch encoding {
        case .byteBuffer:
            return .byteBuffer(value: Data(bytes))
        case .string(let encoding):
            guard let text = encoding.text(of: bytes, at: offset, ofFileBeginning: start) else {
                throw .cantDecodeData(usingEncoding: encoding)
            }
            return .string(encoding: encoding, value: text)
        }
    }

    /// Reads a file in chunks, of which one is in memory at a time. The sequence ends by throwing
    /// ``FileVaultError/notAbleToReadFile``, or ``FileVaultError/cantEncodeData(usingEncoding:)`` where it is no text.
    ///
    /// - Parameters:
    ///   - url: the file's.
    ///   - encoding: how the bytes are read; a chunk of text has whole characters.
    ///   - chunkSize: bytes of a chunk; of text about as many. Less than 1 is 1.
    /// - Throws: ``FileVaultError/cantCreateURL(forPath:)``.
    public func readFileInChunks(
        atURL url: URL, withEncoding encoding: FileEncoding, andChunkSize chunkSize: Int
    ) throws(FileVaultError) -> FileValueChunks {
        try readFileInChunks(
            atURL: url, withEncoding: encoding, andChunkSize: chunkSize, andOffset: 0, andLength: 0)
    }

    /// Reads a part of a file in chunks, with the labels of version 1.1 of the original library.
    ///
    /// - Parameters:
    ///   - url: the file's.
    ///   - encoding: how the bytes are read; a chunk of text has whole characters, and the part must not begin or end
    ///     within one.
    ///   - chunkSize: bytes of a chunk; of text about as many. Less than 1 is 1.
    ///   - offset: where the part starts; below 0: at the beginning.
    ///   - length: the most bytes that are read; 0 or less: to the end.
    /// - Throws: ``FileVaultError/cantCreateURL(forPath:)``.
    public func readFileInChunks(
        atURL url: URL, withEncoding encoding: FileEncoding, andChunkSize chunkSize: Int, andOffset offset: Int,
        andLength length: Int
    ) throws(FileVaultError) -> FileValueChunks {
        FileValueChunks(
            client: client, path: try VaultURL.path(of: url), encoding: encoding, chunkBytes: max(1, chunkSize),
            offset: UInt64(max(0, offset)), byteCount: length > 0 ? length : nil)
    }

    /// Writes a file whole, in the place of the content that is there.
    ///
    /// - Parameters:
    ///   - url: the file's.
    ///   - value: the content.
    ///   - includeIntermediateDirectories: whether directories that it lies in are made, where they are missing.
    /// - Throws: ``FileVaultError/cantDecodeData(usingEncoding:)``, ``FileVaultError/missingParentFolder``,
    ///   ``FileVaultError/alreadyExists`` where a directory has the path.
    public func saveFile(
        atURL url: URL, withEncodingAndData value: FileEncodingValue, includeIntermediateDirectories: Bool
    ) async throws(FileVaultError) {
        let path = try VaultURL.path(of: url)
        let bytes = try Self.bytes(of: value)
        try await FileVaultError.mapping(path) { () throws(StoreClientError) in
            _ = try await client.saveFile(bytes, at: path, createsParents: includeIntermediateDirectories)
        }
    }

    /// Appends a content to a file, or makes a file of it if there is none. Appended UTF-16 has the byte order of the
    /// file; only an empty or new file gets a byte order mark. Any number of tasks may append to one file at once: each
    /// content stays in one piece.
    ///
    /// - Parameters:
    ///   - value: what is added.
    ///   - url: the file's.
    ///   - includeIntermediateDirectories: whether directories that it lies in are made, where they are missing.
    /// - Throws: as ``saveFile(atURL:withEncodingAndData:includeIntermediateDirectories:)``; the file is as it was
    ///   then.
    public func appendData(
        _ value: FileEncodingValue, atURL url: URL, includeIntermediateDirectories: Bool
    ) async throws(FileVaultError) {
        let path = try VaultURL.path(of: url)
        let bytes = try Self.bytes(of: value)
        try await FileVaultError.mapping(path) { () throws(StoreClientError) in
            if case .string(.utf16, let text) = value {
                _ = try await client.appendFile(
                    at: path, createsParents: includeIntermediateDirectories, startBytes: ByteOrder.markBytes
                ) { start in
                    guard let start, !start.isEmpty else { return bytes }
                    return (ByteOrder(markIn: start) ?? .highestFirst).bytes(of: text)
                }
            } else {
                _ = try await client.appendFile(bytes, at: path, createsParents: includeIntermediateDirectories)
            }
        }
    }

    /// Deletes a file.
    ///
    /// - Throws: ``FileVaultError/fileNotFound(atPath:)``, also for a directory.
    public func deleteFile(atURL url: URL) async throws(FileVaultError) {
        let path = try VaultURL.path(of: url)
        try await FileVaultError.mapping(path) { () throws(StoreClientError) in
            _ = try await client.deleteFile(at: path)
        }
    }

    private static func bytes(of value: FileEncodingValue) throws(FileVaultError) -> [UInt8] {
        switch value {
        case .byteBuffer(let data):
            return [UInt8](data)
        case .string(let encoding, let text):
            guard let bytes = encoding.bytes(of: text) else { throw .cantDecodeData(usingEncoding: encoding) }
            return bytes
        }
    }
}

// MARK: Both

extension FileVault {
    /// What is known of a file or directory.
    ///
    /// - Throws: ``FileVaultError/fileNotFound(atPath:)``.
    public func getItemAttributes(atURL url: URL) async throws(FileVaultError) -> ItemAttributes {
        let path = try VaultURL.path(of: url)
        return try await FileVaultError.mapping(path) { () throws(StoreClientError) in
            ItemAttributes(try await client.vaultItem(at: path))
        }
    }

    /// Renames or moves a file, or a directory with what it holds. A file in the place is replaced; onto itself nothing
    /// happens.
    ///
    /// - Throws: ``FileVaultError/fileNotFound(atPath:)`` for the origin, first;
    ///   ``FileVaultError/missingParentFolder`` of the place; ``FileVaultError/alreadyExists`` where a directory has
    ///   it.
    public func renameItem(fromURL origin: URL, toURL place: URL) async throws(FileVaultError) {
        let (origin, place) = (try VaultURL.path(of: origin), try VaultURL.path(of: place))
        try await FileVaultError.mapping(origin) { () throws(StoreClientError) in
            _ = try await client.moveFile(from: origin, to: place)
        }
    }

    /// Copies a file, or a directory with what it holds.
    ///
    /// - Throws: as ``renameItem(fromURL:toURL:)``.
    public func copyItem(fromURL origin: URL, toURL place: URL) async throws(FileVaultError) {
        let (origin, place) = (try VaultURL.path(of: origin), try VaultURL.path(of: place))
        try await FileVaultError.mapping(origin) { () throws(StoreClientError) in
            _ = try await client.copyFile(from: origin, to: place)
        }
    }
}
