public import FoundationEssentials

/// The only error type of this library: the daemon's error, or the reason why no answer arrived.
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
/// The last `catch` is only for the compiler. The compiler of Swift 6.3 may crash if a `do` throws errors of one type,
/// a `catch` has a condition, and the other errors pass through to a function that throws any error.
public struct StoreClientError: Error, Hashable, Sendable {
    /// The broad class of the error.
    public let code: Code
    /// The reason, by which programs decide what to do.
    public let reason: Reason
    /// The message for people, in lower case: first the cause, then a hint. It contains no stored data and no key
    /// material.
    public let message: String
    /// True if the same call may succeed later without a change.
    public let isRetryable: Bool
    /// Facts for programs, such as `retry_after_milliseconds`.
    public let details: [String: String]
    private let memoryForm = MemoryForm()

    /// Creates an error, for tests and previews. A client's calls create their own errors.
    public init(
        code: Code, reason: Reason, message: String, isRetryable: Bool = false, details: [String: String] = [:]
    ) {
        self.code = code
        self.reason = reason
        self.message = message
        self.isRetryable = isRetryable
        self.details = details
    }

    /// The time to wait before the next attempt, if the daemon gives one.
    public var retryAfter: Duration? {
        details["retry_after_milliseconds"].flatMap { Int64($0) }.map { .milliseconds($0) }
    }
}

extension StoreClientError {
    /// A member without information. The compiler does not know its size and therefore keeps this error, and every
    /// enumeration that contains it, in memory. If an enumeration fits into registers, Swift 6.3.1 frees a caught error
    /// twice when a `do` catches some cases and passes the others on, and then fails with "Found ownership error".
    /// ExampleTests compiles these forms.
    private struct MemoryForm: Hashable, Sendable {
        private let unused: any Sendable = ()

        static func == (left: Self, right: Self) -> Bool {
            true
        }

        func hash(into hasher: inout Hasher) {}
    }
}

extension StoreClientError: CustomStringConvertible, LocalizedError {
    /// The error as one line for logs and people: the message, then code and reason, or one of them if they are the
    /// same word.
    public var description: String {
        code.name == reason.rawValue ? "\(message) [\(code.name)]" : "\(message) [\(code.name) \(reason.rawValue)]"
    }

    /// The text of `localizedDescription`, which is the description.
    public var errorDescription: String? { description }
}
