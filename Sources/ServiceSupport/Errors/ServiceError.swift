/// Why a program of ours cannot be a service.
package struct ServiceError: Error, Hashable, Sendable {
    package enum Code: Hashable, Sendable, CaseIterable {
        /// A value of the environment given by the service manager is wrong.
        case configuration
        /// The operating system refused something that always works.
        case system
    }

    package let code: Code
    /// Lower case, cause first, then a hint.
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
