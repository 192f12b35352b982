/// What the server's own parts throw (listening, identity, configuration); requests fail with wire errors instead.
package struct ServerError: Error, Hashable, Sendable {
    /// Why. The daemon turns each into one exit code.
    package enum Code: Hashable, Sendable, CaseIterable {
        /// A value of the configuration or of the environment given by the service manager is wrong.
        case configuration
        /// Another process listens on the socket already.
        case socketInUse
        /// The socket could not be made: its folder, its path or its permissions.
        case socketNotCreated
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

extension ServerError: CustomStringConvertible {
    package var description: String {
        message
    }
}
