public import FoundationEssentials

/// The one error of this library: what the daemon answered, or what kept its answer from arriving.
///
/// ```swift
/// do {
///     let message = try await client.message(id)
///     print(message.text)
/// } catch where error.reason == .messageNotFound {
///     print("gone")
/// } catch {
///     throw error
/// }
/// ```
///
/// The last `catch` is for the compiler's sake: that of Swift 6.3 may crash where a `do` throws errors of one type, a
/// `catch` has a condition, and what meets none is left to a function that throws any error.
public struct StoreClientError: Error, Hashable, Sendable {
    /// The broad class of what happened.
    public let code: Code
    /// What programs decide on.
    public let reason: Reason
    /// For people: lower case, cause first, then a hint. Holds no content and no key material.
    public let message: String
    /// True when the same call may succeed later without a change.
    public let isRetryable: Bool
    /// Facts a program may want, such as `retry_after_milliseconds`.
    public let details: [String: String]
    private let memoryForm = MemoryForm()

    /// For tests and previews: the calls of a client make their own.
    public init(
        code: Code, reason: Reason, message: String, isRetryable: Bool = false, details: [String: String] = [:]
    ) {
        self.code = code
        self.reason = reason
        self.message = message
        self.isRetryable = isRetryable
        self.details = details
    }

    /// How long the daemon asks to wait before the next try.
    public var retryAfter: Duration? {
        details["retry_after_milliseconds"].flatMap { Int64($0) }.map { .milliseconds($0) }
    }
}

extension StoreClientError {
    /// No information: a member whose size the compiler does not know, so that it keeps this error, and every
    /// enumeration with a case that holds one, in memory. Of enumerations that it can keep in registers Swift 6.3.1
    /// frees a caught error twice when a `do` names some cases and lets the others through, and then ends with "Found
    /// ownership error". ExampleTests compiles these forms.
    private struct MemoryForm: Hashable, Sendable {
        private let unused: any Sendable = ()

        static func == (left: Self, right: Self) -> Bool {
            true
        }

        func hash(into hasher: inout Hasher) {}
    }
}

extension StoreClientError: CustomStringConvertible, LocalizedError {
    /// One line for logs and people: the message, then code and reason, or one of them if they are the same word.
    public var description: String {
        code.name == reason.rawValue ? "\(message) [\(code.name)]" : "\(message) [\(code.name) \(reason.rawValue)]"
    }

    /// The description: what `localizedDescription` says.
    public var errorDescription: String? { description }
}
