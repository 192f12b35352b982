public import FoundationEssentials
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
    /// There is no conversation of this id or session id.
    case conversationNotFound
    /// There is no message of this id.
    case messageNotFound
    /// There is no contact of this session id.
    case contactNotFound
    /// A change did not reach the disk, for the reason inside.
    case saveFailed(StoreClientError)
    /// The store did not answer another call, for the reason inside.
    case failed(StoreClientError)

    init(_ error: StoreClientError, isSave: Bool = false) {
        switch error.reason {
        case .conversationNotFound: self = .conversationNotFound
        case .messageNotFound: self = .messageNotFound
        case .contactNotFound: self = .contactNotFound
        default: self = isSave ? .saveFailed(error) : .failed(error)
        }
    }

    /// The store's own error where this has no case for it: its code, reason and whether another try may help.
    public var storeError: StoreClientError? {
        switch self {
        case .conversationNotFound, .messageNotFound, .contactNotFound: nil
        case .saveFailed(let error), .failed(let error): error
        }
    }
}

extension StorageError: CustomStringConvertible, LocalizedError {
    /// For people: lower case, no content of messages.
    public var description: String {
        switch self {
        case .conversationNotFound: "there is no such conversation"
        case .messageNotFound: "there is no such message"
        case .contactNotFound: "there is no such contact"
        case .saveFailed(let error): "not saved: \(error)"
        case .failed(let error): error.description
        }
    }

    /// The description: what `localizedDescription` says.
    public var errorDescription: String? { description }
}
