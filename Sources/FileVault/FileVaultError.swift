public import FoundationEssentials
public import StoreClient

/// What the vault throws. All but the last are the ones applications of the original library have always handled.
///
/// ```swift
/// do {
///     try await vault.createDirectory(atURL: url, includeIntermediateDirectories: false)
/// } catch .alreadyExists {
///     print("it is there")
/// }
/// ```
///
/// A `catch` with a condition needs one without after it: see `StoreClientError`.
public enum FileVaultError: Error, Hashable, Sendable {
    /// The directory holds something.
    case notEmpty
    /// A file or directory is there already; of what is renamed or copied: a directory.
    case alreadyExists
    /// The directory that the path lies in is not there.
    case missingParentFolder
    /// There is no file of this path; of attributes, what is renamed and copied: nor a directory.
    case fileNotFound(atPath: String)
    /// There is no directory of this path.
    case directoryNotFound(atPath: String)
    /// The text or URL names no place in the vault.
    case cantCreateURL(forPath: String)
    /// The encoding cannot hold the text that was to be written, or the bytes that were read are no text of it.
    case cantDecodeData(usingEncoding: FileStringEncoding)
    /// The bytes of a chunk are no text of the encoding.
    case cantEncodeData(usingEncoding: FileStringEncoding)
    /// A file that is read in chunks does not exist or is damaged, or a file is written again and again while it is
    /// read.
    case notAbleToReadFile
    /// The store did not do it, for the reason inside.
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

    /// Maps an error of a read into memory.
    init(reading error: StoreClientError, at path: VaultPath) {
        self = error.reason == .fileChanged ? .notAbleToReadFile : FileVaultError(error, at: path)
    }

    /// Of a read in chunks.
    init(readingInChunks error: StoreClientError) {
        switch error.reason {
        case .fileNotFound, .fileChanged, .fileDamaged: self = .notAbleToReadFile
        default: self = .failed(error)
        }
    }

    /// Runs a call about a path and gives its error as this one.
    static func mapping<Value>(
        _ path: VaultPath, _ body: () async throws(StoreClientError) -> Value
    ) async throws(FileVaultError) -> Value {
        do {
            return try await body()
        } catch {
            throw FileVaultError(error, at: path)
        }
    }

    /// Runs a call that reads a file, and maps its error.
    static func mappingRead<Value>(
        _ path: VaultPath, _ body: () async throws(StoreClientError) -> Value
    ) async throws(FileVaultError) -> Value {
        do {
            return try await body()
        } catch {
            throw FileVaultError(reading: error, at: path)
        }
    }

    /// The store's own error where this has no case for it: its code, reason and whether another try may help.
    public var storeError: StoreClientError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

extension FileVaultError: CustomStringConvertible, LocalizedError {
    /// For people: lower case, no paths and no content.
    public var description: String {
        switch self {
        case .notEmpty: "the directory is not empty"
        case .alreadyExists: "a file or directory already exists at this path"
        case .missingParentFolder: "the parent directory of the path does not exist"
        case .fileNotFound: "there is no such file"
        case .directoryNotFound: "there is no such directory"
        case .cantCreateURL: "this is not a path in the vault"
        case .cantDecodeData(let encoding): "the text cannot be converted to or from \(encoding)"
        case .cantEncodeData(let encoding): "the chunk is not valid \(encoding) text"
        case .notAbleToReadFile: "the file cannot be read: it does not exist, is damaged, or is being written"
        case .failed(let error): error.description
        }
    }

    /// The description: what `localizedDescription` says.
    public var errorDescription: String? { description }
}
