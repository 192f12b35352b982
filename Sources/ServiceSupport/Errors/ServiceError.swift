/// An error that prevents a program from running as a service.
package struct ServiceError: Error, Hashable, Sendable {
    package enum Code: Hashable, Sendable, CaseIterable {
        /// An environment variable set by the service manager has an invalid value.
        case configuration
        /// A system call that should always succeed has failed.
        case system
    }

    package let code: Code
    /// The message, in lower case: the cause, then a hint.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ServiceError: CustomStringConvertible {
    package var description: String {
        message
    }
}
