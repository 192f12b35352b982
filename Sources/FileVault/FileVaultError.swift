public import FoundationEssentials
public import StoreClient

/// An error of the vault. All cases except the last exist in the original library, too.
///
/// ```swift
/// do {
///     try await vault.createDirectory(atURL: url, includeIntermediateDirectories: false)
/// } catch .alreadyExists {
///     print("it is there")
/// }
/// ```
///
/// The last `catch` of a `do` must not have a condition: see `StoreClientError`.
public enum FileVaultError: Error, Hashable, Sendable {
    /// The directory to remove is not empty.
    case notEmpty
    /// A file or directory already exists. When renaming or copying: a directory exists at the destination.
    case alreadyExists
    /// The parent directory of the path does not exist, and the call does not create missing directories.
    case missingParentFolder
    /// The file does not exist. For attributes, renaming and copying: neither a file nor a directory exists.
    case fileNotFound(atPath: String)
    /// The directory does not exist, or the path is a file.
    case directoryNotFound(atPath: String)
    /// The text or URL is not a path in the vault.
    case cantCreateURL(forPath: String)
    /// The encoding cannot represent the text to write, or the bytes that were read are not valid in the encoding.
    case cantDecodeData(usingEncoding: FileStringEncoding)
    /// The bytes of a chunk are not valid in the encoding.
    case cantEncodeData(usingEncoding: FileStringEncoding)
    /// A file that is read in chunks does not exist or is damaged, or a file was written during each attempt to read
    /// it.
    case notAbleToReadFile
    /// The store reported the contained error.
    case failed(StoreClientError)

    init(_ error: StoreClientError, at path: VaultPath) {
        switch error.reason {
        case .directoryNotEmpty: self = .notEmpty
        case .alreadyExists: self = .alreadyExists
        case .parentDirectoryNotFound: self = .missingParentFolder
        case .fileNotFound: self = .fileNotFound(atPath: path.description)
        case .directoryNotFound: self = .directoryNotFound(atPath: path.description)
        default: self = .failed(error)
        }
    }

    /// Maps an error of a call that reads a file into memory. A file that was written during each attempt gives
    /// `.notAbleToReadFile`.
    init(reading error: StoreClientError, at path: VaultPath) {
        self = error.reason == .fileChanged ? .notAbleToReadFile : FileVaultError(error, at: path)
    }

    /// Maps an error of a call that reads a file in chunks. Unlike other calls, it reports a missing file as
    /// `.notAbleToReadFile`.
    init(readingInChunks error: StoreClientError) {
        switch error.reason {
        case .fileNotFound, .fileChanged, .fileDamaged: self = .notAbleToReadFile
        default: self = .failed(error)
        }
    }

    /// Runs a call about a path and maps its error to `FileVaultError`. For a call that reads a file, use
    /// `mappingRead`.
    static func mapping<Value>(
        _ path: VaultPath, _ body: () async throws(StoreClientError) -> Value
    ) async throws(FileVaultError) -> Value {
        do {
            return try await body()
        } catch {
            throw FileVaultError(error, at: path)
        }
    }

    /// Runs a call that reads a file into memory and maps its error to `FileVaultError`.
    static func mappingRead<Value>(
        _ path: VaultPath, _ body: () async throws(StoreClientError) -> Value
    ) async throws(FileVaultError) -> Value {
        do {
            return try await body()
        } catch {
            throw FileVaultError(reading: error, at: path)
        }
    }

    /// The store's error if this type has no case for it. It has a code and a reason, and says if a retry may help.
    public var storeError: StoreClientError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

extension FileVaultError: CustomStringConvertible, LocalizedError {
    /// A text for people, in lower case. It contains no paths and nothing from the files.
    public var description: String {
        switch self {
        case .notEmpty: "the directory is not empty"
        case .alreadyExists: "a file or directory already exists at this path"
        case .missingParentFolder: "the parent directory of the path does not exist"
        case .fileNotFound: "there is no such file"
        case .directoryNotFound: "there is no such directory"
        case .cantCreateURL: "the text or URL is not a path in the vault"
        case .cantDecodeData(let encoding): "the text cannot be converted to or from \(encoding)"
        case .cantEncodeData(let encoding): "the chunk is not valid \(encoding) text"
        case .notAbleToReadFile: "the file cannot be read: it does not exist, is damaged, or is being written"
        case .failed(let error): error.description
        }
    }

    /// The description, which `localizedDescription` returns.
    public var errorDescription: String? { description }
}
