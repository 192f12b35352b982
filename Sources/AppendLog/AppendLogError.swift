public import FoundationEssentials
public import StoreClient

/// What a log throws. The first four are the ones applications of the file library have always handled.
///
/// ```swift
/// do {
///     try await events.append(message: event)
/// } catch .messageLargerThanCacheCapacity {
///     print("too large")
/// }
/// ```
///
/// A `catch` with a condition needs one without after it: see `StoreClientError`.
public enum AppendLogError: Error, Hashable, Sendable {
    /// The message would not fit the log if it were empty.
    case messageLargerThanCacheCapacity
    /// The log keeps its old messages and has no room for this one.
    case messageLargerThanRemainingCacheSize
    /// A file that is not a whole CacheAdvance file: at which byte, and why. It was not touched.
    case fileCorrupted(offset: UInt64, String)
    /// The log was made with another size or another answer to being full.
    case fileNotWritable
    /// A file cannot be read or written.
    case fileUnavailable(String)
    /// The log's encoder cannot write a message that was to be appended, or writes no bytes. Nothing was appended.
    case messageNotEncodable
    /// The log's decoder cannot read a kept message: its sequence number in the log, or its place in the file, from 1.
    case messageUnreadable(sequence: UInt64)
    /// The store did not do it, for the reason inside.
    case failed(StoreClientError)

    init(_ error: StoreClientError) {
        switch error.reason {
        case .logMessageTooLarge: self = .messageLargerThanCacheCapacity
        case .logFull: self = .messageLargerThanRemainingCacheSize
        case .logNotWritable: self = .fileNotWritable
        default: self = .failed(error)
        }
    }

    /// Runs a call and gives its error as this one.
    static func mapping<Value>(
        _ body: () async throws(StoreClientError) -> Value
    ) async throws(AppendLogError) -> Value {
        do {
            return try await body()
        } catch {
            throw AppendLogError(error)
        }
    }

    /// The store's own error where this has no case for it: its code, reason and whether another try may help.
    public var storeError: StoreClientError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

extension AppendLogError: CustomStringConvertible, LocalizedError {
    /// For people: lower case, no content of messages.
    public var description: String {
        switch self {
        case .messageLargerThanCacheCapacity: "the message is larger than the log"
        case .messageLargerThanRemainingCacheSize: "the message is larger than the free space in the log"
        case .fileCorrupted(let offset, let cause): "\(cause) (byte \(offset))"
        case .fileNotWritable: "the log was created with a different configuration"
        case .fileUnavailable(let cause): cause
        case .messageNotEncodable: "the message cannot be encoded; nothing was appended"
        case .messageUnreadable(let sequence): "message \(sequence) cannot be decoded as the expected type"
        case .failed(let error): error.description
        }
    }

    /// The description: what `localizedDescription` says.
    public var errorDescription: String? { description }
}
