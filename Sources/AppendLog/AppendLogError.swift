public import FoundationEssentials
public import StoreClient

/// An error of a log. The first four cases exist in the CacheAdvance library, too.
///
/// ```swift
/// do {
///     try await events.append(message: event)
/// } catch .messageLargerThanCacheCapacity {
///     print("too large")
/// }
/// ```
///
/// The last `catch` of a `do` must not have a condition: see `StoreClientError`.
public enum AppendLogError: Error, Hashable, Sendable {
    /// The message would not fit into the log even if the log were empty.
    case messageLargerThanCacheCapacity
    /// The log does not overwrite old messages, and has no room for the new message.
    case messageLargerThanRemainingCacheSize
    /// A file is not a complete CacheAdvance file. Contains the offset of the error and the reason. The file was not
    /// changed.
    case fileCorrupted(offset: UInt64, String)
    /// The log was created with another size or another overwriting policy.
    case fileNotWritable
    /// A file cannot be read or written.
    case fileUnavailable(String)
    /// The log's encoder cannot encode a message, or encodes it as zero bytes. Nothing was appended.
    case messageNotEncodable
    /// The log's decoder cannot decode a stored message. Contains the message's sequence number in the log; during an
    /// import, the message's number in the file, counted from 1.
    case messageUnreadable(sequence: UInt64)
    /// The store reported the contained error.
    case failed(StoreClientError)

    init(_ error: StoreClientError) {
        switch error.reason {
        case .logMessageTooLarge: self = .messageLargerThanCacheCapacity
        case .logFull: self = .messageLargerThanRemainingCacheSize
        case .logNotWritable: self = .fileNotWritable
        default: self = .failed(error)
        }
    }

    /// Runs a call of the client and maps its error to `AppendLogError`.
    static func mapping<Value>(
        _ body: () async throws(StoreClientError) -> Value
    ) async throws(AppendLogError) -> Value {
        do {
            return try await body()
        } catch {
            throw AppendLogError(error)
        }
    }

    /// The store's error if this type has no case for it. It has a code and a reason, and says if a retry may help.
    public var storeError: StoreClientError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

extension AppendLogError: CustomStringConvertible, LocalizedError {
    /// A text for people, in lower case. It contains nothing from the messages of the log.
    public var description: String {
        switch self {
        case .messageLargerThanCacheCapacity: "the message is larger than the log"
        case .messageLargerThanRemainingCacheSize: "the message is larger than the free space in the log"
        case .fileCorrupted(let offset, let cause): "\(cause) (byte \(offset))"
        case .fileNotWritable: "the log was created with a different configuration than the given one"
        case .fileUnavailable(let cause): cause
        case .messageNotEncodable: "the message cannot be encoded; nothing was appended"
        case .messageUnreadable(let sequence): "message \(sequence) cannot be decoded as the expected type"
        case .failed(let error): error.description
        }
    }

    /// The description, which `localizedDescription` returns.
    public var errorDescription: String? { description }
}
