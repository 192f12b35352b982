internal import StoreCrypto
internal import StoreEngine
internal import StoreServer

/// Why the daemon does not start or go on, and how it ends.
struct DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    let exitCode: ExitCode
    /// Lower case, cause first, then a hint.
    let message: String

    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    static func configuration(_ message: String) -> DaemonError {
        DaemonError(.configuration, message)
    }

    init(_ error: ServerError) {
        let exitCode: ExitCode =
            switch error.code {
            case .configuration: .configuration
            case .socketInUse: .unavailable
            case .socketNotCreated: .cannotCreate
            case .system: .internal
            }
        self.init(exitCode, error.message)
    }

    /// An error of the engine's start, or of making a store.
    init(_ error: StoreError) {
        let exitCode: ExitCode =
            switch error.reason {
            case .storeBusy: .unavailable
            case .storageFailed, .diskFull: .cannotCreate
            case .invalidArgument, .keyMissing, .storeExists: .configuration
            default: .internal
            }
        self.init(exitCode, error.message)
    }

    /// An error of a key file.
    init(_ error: CryptoError) {
        self.init(error.code == .keyFileInvalid ? .configuration : .cannotCreate, error.message)
    }

    var description: String {
        message
    }
}
