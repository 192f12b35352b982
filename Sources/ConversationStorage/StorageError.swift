public import FoundationEssentials
public import StoreClient

/// An error of the storage. The first three cases exist in embedded storage managers, too. The others contain the
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
/// The last `catch` of a `do` must not have a condition: see `StoreClientError`.
public enum StorageError: Error, Hashable, Sendable {
    /// No conversation has this id or session id.
    case conversationNotFound
    /// No message has this id.
    case messageNotFound
    /// No contact has this session id.
    case contactNotFound
    /// A change did not reach the disk; the store's error says why.
    case saveFailed(StoreClientError)
    /// A call that changes nothing failed; the store's error says why.
    case failed(StoreClientError)

    init(_ error: StoreClientError, isSave: Bool = false) {
        switch error.reason {
        case .conversationNotFound: self = .conversationNotFound
        case .messageNotFound: self = .messageNotFound
        case .contactNotFound: self = .contactNotFound
        default: self = isSave ? .saveFailed(error) : .failed(error)
        }
    }

    /// The store's error if this type has no case for it. It has a code and a reason, and says if a retry may help.
    public var storeError: StoreClientError? {
        switch self {
        case .conversationNotFound, .messageNotFound, .contactNotFound: nil
        case .saveFailed(let error), .failed(let error): error
        }
    }
}

extension StorageError: CustomStringConvertible, LocalizedError {
    /// A text for people, in lower case. It contains nothing from the stored messages.
    public var description: String {
        switch self {
        case .conversationNotFound: "there is no such conversation"
        case .messageNotFound: "there is no such message"
        case .contactNotFound: "there is no such contact"
        case .saveFailed(let error): "not saved: \(error)"
        case .failed(let error): error.description
        }
    }

    /// The description, which `localizedDescription` returns.
    public var errorDescription: String? { description }
}
