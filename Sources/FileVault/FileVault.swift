public import FoundationEssentials
public import StoreClient

/// Files and directories in the vault of a store, with the functions of the
/// [ion-ios-filesystem](https://github.com/ionic-team/ion-ios-filesystem) library.
///
/// ```swift
/// let vault = FileVault(client: store)
/// let url = try vault.getFileURL(atPath: "notes/today.txt", withSearchPath: .directory(type: .document))
/// try await vault.saveFile(
///     atURL: url, withEncodingAndData: .string(encoding: .utf8, value: "hello"), includeIntermediateDirectories: true)
/// ```
///
/// A URL refers to an item in the vault, never to a file of the host. Any number of tasks and processes may use a vault
/// at the same time. Written data is on disk when the function returns.
public struct FileVault: Sendable {
    let client: StoreClient

    /// - Parameter client: a client that the caller keeps open while the vault is used. The vault never closes it.
    public init(client: StoreClient) {
        self.client = client
    }

    /// Returns the URL of a path in the vault. The item need not exist.
    ///
    /// - Parameters:
    ///   - path: in an area: names separated by slashes, without percent-encoding; `.` and `..` are resolved. With
    ///     `raw`: a URL that this function returned earlier, or a `file` URL of an application's container
    ///     (`file:///Documents/notes/today.txt`), whose folders `Documents`, `Library`, `Library/Caches`,
    ///     `Library/NoCloud` and `tmp` are the areas of the vault.
    ///   - searchPath: the start of the path.
    /// - Throws: ``FileVaultError/cantCreateURL(forPath:)`` for a path outside the vault.
    public func getFileURL(
        atPath path: String, withSearchPath searchPath: FileSearchPath
    ) throws(FileVaultError) -> URL {
        try VaultURL.url(of: try VaultURL.path(path, searchPath))
    }
}

// MARK: Directories

extension FileVault {
    /// Creates a directory.
    ///
    /// - Parameters:
    ///   - url: the directory.
    ///   - includeIntermediateDirectories: if true, also creates missing parent directories.
    /// - Throws: ``FileVaultError/missingParentFolder``, checked first; ``FileVaultError/alreadyExists``.
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
    ///   - url: the directory.
    ///   - includeIntermediateDirectories: if true, also removes a directory that is not empty, with its content.
    /// - Throws: ``FileVaultError/directoryNotFound(atPath:)``, ``FileVaultError/notEmpty``.
    public func removeDirectory(
        atURL url: URL, includeIntermediateDirectories: Bool
    ) async throws(FileVaultError) {
        let path = try VaultURL.path(of: url)
        try await FileVaultError.mapping(path) { () throws(StoreClientError) in
            _ = try await client.removeDirectory(at: path, withChildren: includeIntermediateDirectories)
        }
    }

    /// Returns the URLs of the items in a directory, in the byte order of their names.
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
    /// Reads a file into memory. All bytes come from one version of the file: if the file is written in the meantime,
    /// it is read again, up to 16 times.
    ///
    /// - Throws: ``FileVaultError/fileNotFound(atPath:)``, ``FileVaultError/cantDecodeData(usingEncoding:)``,
    ///   ``FileVaultError/notAbleToReadFile`` if the file was written during each attempt.
    public func readEntireFile(
        atURL url: URL, withEncoding encoding: FileEncoding
    ) async throws(FileVaultError) -> FileEncodingValue {
        try await readRange(atURL: url, offset: 0, length: 0, withEncoding: encoding)
    }

    /// Reads a part of a file into memory, with the argument labels of version 1.1 of the original library.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - encoding: the way in which the bytes are read. A part of a text must not begin or end within a character.
    ///   - offset: the start of the part; a negative offset means the beginning of the file. At or after the end of the
    ///     file the part is empty.
    ///   - length: the most bytes to read; 0 or less to read to the end.
    /// - Throws: as ``readEntireFile(atURL:withEncoding:)``.
    public func readEntireFile(
        atURL url: URL, withEncoding encoding: FileEncoding, andOffset offset: Int, andLength length: Int
    ) async throws(FileVaultError) -> FileEncodingValue {
        try await readRange(atURL: url, offset: UInt64(max(0, offset)), length: length, withEncoding: encoding)
    }

    /// Reads a part of a file into memory. UTF-16 is read in the byte order of the file's mark, wherever the part
    /// starts.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - offset: the start of the part. At or after the end of the file the part is empty.
    ///   - length: the most bytes to read; 0 or less to read to the end.
    ///   - encoding: the way in which the bytes are read. A part of a text must not begin or end within a character.
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

    /// Reads a file in chunks, with one chunk in memory at a time. The sequence may end with the error
    /// ``FileVaultError/notAbleToReadFile``, or with ``FileVaultError/cantEncodeData(usingEncoding:)`` if the bytes are
    /// not text in the encoding.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - encoding: the way in which the bytes are read. A chunk of text consists of whole characters.
    ///   - chunkSize: the size of a chunk in bytes, approximate for text. Values below 1 mean 1.
    /// - Throws: ``FileVaultError/cantCreateURL(forPath:)``.
    public func readFileInChunks(
        atURL url: URL, withEncoding encoding: FileEncoding, andChunkSize chunkSize: Int
    ) throws(FileVaultError) -> FileValueChunks {
        try readFileInChunks(
            atURL: url, withEncoding: encoding, andChunkSize: chunkSize, andOffset: 0, andLength: 0)
    }

    /// Reads a part of a file in chunks, with the argument labels of version 1.1 of the original library.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - encoding: the way in which the bytes are read. A chunk of text consists of whole characters. The part must
    ///     not begin or end within a character.
    ///   - chunkSize: the size of a chunk in bytes, approximate for text. Values below 1 mean 1.
    ///   - offset: the start of the part; a negative offset means the beginning of the file.
    ///   - length: the most bytes to read; 0 or less to read to the end.
    /// - Throws: ``FileVaultError/cantCreateURL(forPath:)``.
    public func readFileInChunks(
        atURL url: URL, withEncoding encoding: FileEncoding, andChunkSize chunkSize: Int, andOffset offset: Int,
        andLength length: Int
    ) throws(FileVaultError) -> FileValueChunks {
        FileValueChunks(
            client: client, path: try VaultURL.path(of: url), encoding: encoding, chunkBytes: max(1, chunkSize),
            offset: UInt64(max(0, offset)), byteCount: length > 0 ? length : nil)
    }

    /// Writes a whole file and replaces existing content.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - value: the content.
    ///   - includeIntermediateDirectories: if true, also creates missing parent directories.
    /// - Throws: ``FileVaultError/cantDecodeData(usingEncoding:)``, ``FileVaultError/missingParentFolder``,
    ///   ``FileVaultError/alreadyExists`` if the path is a directory.
    public func saveFile(
        atURL url: URL, withEncodingAndData value: FileEncodingValue, includeIntermediateDirectories: Bool
    ) async throws(FileVaultError) {
        let path = try VaultURL.path(of: url)
        let bytes = try Self.bytes(of: value)
        try await FileVaultError.mapping(path) { () throws(StoreClientError) in
            _ = try await client.saveFile(bytes, at: path, createsParents: includeIntermediateDirectories)
        }
    }

    /// Appends content to a file, or creates the file if it does not exist. Appended UTF-16 has the byte order of the
    /// file; only an empty or new file gets a byte order mark. Any number of tasks may append to one file at the same
    /// time: each content stays in one piece.
    ///
    /// - Parameters:
    ///   - value: the content to append.
    ///   - url: the file.
    ///   - includeIntermediateDirectories: if true, also creates missing parent directories.
    /// - Throws: as ``saveFile(atURL:withEncodingAndData:includeIntermediateDirectories:)``; the file is unchanged
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
    /// Returns the attributes of a file or directory.
    ///
    /// - Throws: ``FileVaultError/fileNotFound(atPath:)``.
    public func getItemAttributes(atURL url: URL) async throws(FileVaultError) -> ItemAttributes {
        let path = try VaultURL.path(of: url)
        return try await FileVaultError.mapping(path) { () throws(StoreClientError) in
            ItemAttributes(try await client.vaultItem(at: path))
        }
    }

    /// Renames or moves a file, or a directory with its content. An existing file at the destination is replaced. If
    /// both URLs are equal, nothing happens.
    ///
    /// - Throws: ``FileVaultError/fileNotFound(atPath:)`` for the origin, checked first;
    ///   ``FileVaultError/missingParentFolder`` for the destination; ``FileVaultError/alreadyExists`` if the
    ///   destination is a directory.
    public func renameItem(fromURL origin: URL, toURL place: URL) async throws(FileVaultError) {
        let (origin, place) = (try VaultURL.path(of: origin), try VaultURL.path(of: place))
        try await FileVaultError.mapping(origin) { () throws(StoreClientError) in
            _ = try await client.moveFile(from: origin, to: place)
        }
    }

    /// Copies a file, or a directory with its content.
    ///
    /// - Throws: as ``renameItem(fromURL:toURL:)``.
    public func copyItem(fromURL origin: URL, toURL place: URL) async throws(FileVaultError) {
        let (origin, place) = (try VaultURL.path(of: origin), try VaultURL.path(of: place))
        try await FileVaultError.mapping(origin) { () throws(StoreClientError) in
            _ = try await client.copyFile(from: origin, to: place)
        }
    }
}
