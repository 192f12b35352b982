import Logging
import ServiceSupport
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreServer

/// Creates the engine and opens the store with the configured key.
enum StoreOpening {
    /// Creates the engine, which locks the state directory.
    ///
    /// - Throws: `DaemonError` if another daemon uses the directory, or if the directory cannot be created.
    static func makeEngine(
        _ configuration: DaemonConfiguration, key: KeySource, logger: Logger,
        onLostDurability: @escaping @Sendable (StoreError) -> Never,
        onPageCipherFailure: @escaping @Sendable (StaticString) -> Never
    ) throws(DaemonError) -> StoreEngine {
        do {
            try SodiumRuntime.start()
        } catch {
            throw DaemonError(.internal, error.message)
        }
        guard !configuration.requiresLockedMemory || SodiumRuntime.isMemoryLockable else {
            throw .configuration(
                "require_locked_memory is set, but the system does not allow memory to be locked: raise LimitMEMLOCK=")
        }
        let settings = EngineConfiguration(
            stateDirectory: configuration.stateDirectory, allowLowCost: configuration.allowsLowCostKeys,
            memoryLockRequired: configuration.requiresLockedMemory,
            readerThreads: configuration.server.readerThreads,
            autoLockAfterSeconds: configuration.autoLockSeconds,
            attachmentCacheBytesMax: configuration.attachmentCacheBytesMax, fileQuotas: configuration.fileQuotas,
            readConfiguredKey: { () throws(CryptoError) in try key.read() },
            clocks: .real(bootID: BootID.current()),
            onLostDurability: onLostDurability,
            onPageCipherFailure: onPageCipherFailure)
        do {
            let engine = try StoreEngine(configuration: settings, logger: logger)
            logStart(engine.versions, configuration, logger)
            return engine
        } catch {
            throw DaemonError(error)
        }
    }

    /// Opens the store. Creates it if this is configured and no store exists. If the store cannot be opened, its files
    /// are not changed, and the daemon keeps running to report the error.
    ///
    /// - Throws: `DaemonError` if a new store could not be created.
    static func open(
        _ engine: StoreEngine, key: KeySource, createsStore: Bool, logger: Logger
    ) throws(DaemonError) {
        // Try without a key first. This finds out if there is a store, and changes nothing.
        engine.openWithConfiguredKey(nil)
        if createsStore && engine.state == .absent {
            try create(engine, key: key)
        } else if engine.state == .locked {
            openExisting(engine, key: key, logger: logger)
        }
        if engine.state == .absent {
            logger.notice("there is no store yet: create one with ghoststorectl init")
        } else if engine.state == .locked {
            logger.notice("the store is locked: open it with ghoststorectl unlock")
        }
    }

    private static func create(_ engine: StoreEngine, key: KeySource) throws(DaemonError) {
        let secret: SlotSecret?
        do {
            secret = try key.read()
        } catch {
            throw DaemonError(error)
        }
        guard let secret else {
            throw .configuration(
                "create_store needs a key: set key_file (generate-key-file creates a key file) or pass a credential"
            )
        }
        do {
            _ = try engine.initialize(secret: secret, label: key.slotLabel, withRecoveryCode: false, lowCost: false)
        } catch {
            throw DaemonError(error)
        }
    }

    private static func openExisting(_ engine: StoreEngine, key: KeySource, logger: Logger) {
        do {
            if let secret = try key.read() {
                engine.openWithConfiguredKey(secret)
            }
        } catch {
            logger.error("the configured key cannot be used", metadata: ["error": "\(error.message)"])
            var refusal = StoreError(.keyMissing, key.refusal)
            refusal.hostMessage = "\(error.message); hint: you can unlock the store with the secret of another key slot"
            engine.refuseToOpen(refusal)
        }
    }

    private static func logStart(_ versions: EngineVersions, _ configuration: DaemonConfiguration, _ logger: Logger) {
        logger.notice(
            "starting",
            metadata: [
                "version": "\(ProjectVersion.text)", "state_directory": "\(configuration.stateDirectory)",
                "sqlcipher": "\(versions.sqlCipher)", "sqlite": "\(versions.sqlite)",
                "libsodium": "\(versions.libsodium)", "memory_locked": "\(SodiumRuntime.isMemoryLockable)",
            ])
    }
}

/// The source of the key that opens the store without a person: the configured key file, otherwise a credential of the
/// service manager, otherwise none, so that a person must unlock the store.
enum KeySource: Sendable, Hashable {
    case keyFile(path: String)
    case credential(path: String)
    case none

    static func choose(keyFile: String?, environment: [String: String]) -> KeySource {
        if let keyFile {
            return .keyFile(path: keyFile)
        }
        if let path = CredentialDirectory.path(of: CredentialDirectory.keyName, environment: environment) {
            return .credential(path: path)
        }
        return .none
    }

    /// Reads the secret from the file directly into protected memory; returns `nil` without a source.
    func read() throws(CryptoError) -> SlotSecret? {
        switch self {
        case .keyFile(let path): try KeyFile.read(at: path, kind: .keyFile)
        case .credential(let path): try KeyFile.read(at: path, kind: .credential)
        case .none: nil
        }
    }

    /// The error message for clients if the key cannot be read. It does not contain the path, which only the log shows.
    var refusal: String {
        switch self {
        case .keyFile:
            "the configured key file cannot be used; hint: the daemon's log and `sudo ghoststorectl status` show why"
        case .credential:
            "the service manager's credential cannot be used; "
                + "hint: the daemon's log and `sudo ghoststorectl status` show why"
        case .none: "no key is configured"
        }
    }

    /// The label of the slot that a new store gets for this key.
    var slotLabel: String {
        switch self {
        case .keyFile: "key file"
        case .credential: "credential"
        case .none: ""
        }
    }
}
