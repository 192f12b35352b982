/// What the server's own parts throw (listening, identity, configuration); requests fail with wire errors instead.
public struct ServerError: Error, Hashable, Sendable {
    /// Why. The daemon turns each into one exit code.
    public enum Code: Hashable, Sendable, CaseIterable {
        /// A value of the configuration or of the environment given by the service manager is wrong.
        case configuration
        /// Another process listens on the socket already.
        case socketInUse
        /// The socket could not be made: its folder, its path or its permissions.
        case socketNotCreated
        /// The operating system refused something that always works.
        case system
    }

    public let code: Code
    /// Lower case, cause first, then a hint.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ServerError: CustomStringConvertible {
    public var description: String {
        message
    }
}
