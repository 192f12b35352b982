public import StoreClient

/// What the storage throws. The first four are those applications have always handled; everything else is the
/// store's own error with its code and reason.
///
/// ```swift
/// do {
///     let messages = try await storage.getMessages(forConversationWithSessionID: sessionID)
///     print(messages.count)
/// } catch .conversationNotFound {
///     print("no such conversation")
/// }
/// ```
///
/// A `catch` with a condition needs one without after it: see `StoreClientError`.
public enum StorageError: Error, Hashable, Sendable {
    case conversationNotFound
    case messageNotFound
    case contactNotFound
    /// A save did not reach the disk, for the reason inside.
    case saveFailed(StoreClientError)
    /// Another call failed, for the reason inside.
    case failed(StoreClientError)

    init(_ error: StoreClientError, isSave: Bool = false) {
        switch error.reason {
        case .conversationNotFound: self = .conversationNotFound
        case .messageNotFound: self = .messageNotFound
        case .contactNotFound: self = .contactNotFound
        default: self = isSave ? .saveFailed(error) : .failed(error)
        }
    }
}

extension StorageError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .conversationNotFound: "there is no such conversation"
        case .messageNotFound: "there is no such message"
        case .contactNotFound: "there is no such contact"
        case .saveFailed(let error): "not saved: \(error)"
        case .failed(let error): error.description
        }
    }
}
