/// An error of the server's own parts: listening, identity and configuration. Requests fail with `StoreError` instead.
package struct ServerError: Error, Hashable, Sendable {
    /// The cause. The daemon maps each code to an exit code.
    package enum Code: Hashable, Sendable, CaseIterable {
        /// A value of the configuration, or of the environment that the service manager gave, is wrong.
        case configuration
        /// Another process listens on the socket, or has locked the lock file beside it.
        case socketInUse
        /// The socket could not be created because of its folder, its path or its permissions.
        case socketNotCreated
        /// The operating system refused an operation that should always work.
        case system
    }

    package let code: Code
    /// The message in lower case: first the cause, then a hint.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ServerError: CustomStringConvertible {
    package var description: String {
        message
    }
}
