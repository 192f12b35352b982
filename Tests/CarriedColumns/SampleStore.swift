import FoundationEssentials
import Glibc
import Logging
import StoreBasics
package import StoreCrypto
import StoreEngine
import Synchronization
import TestBasics

/// Creates a store with the sample, for programs that run without the test process.
package enum SampleStore {
    /// Creates a store that the key file opens, fills it, and closes it.
    package static func make(in stateDirectory: String, keyFile: String) throws {
        let configuration = EngineConfiguration(
            stateDirectory: stateDirectory, onLostDurability: { preconditionFailure("durability was lost: \($0)") })
        var logger = Logger(label: "sample")
        logger.logLevel = .critical
        let engine = try StoreEngine(configuration: configuration, logger: logger)
        defer { engine.shutDown() }
        _ = try engine.initialize(
            secret: secret(keyFile), label: "test", withRecoveryCode: false, lowCost: false)
        try ColumnSample(now: .now) { try write($0, to: engine) }.fill()
    }

    /// Returns the secret in a key file, with which `StoreColumns` reads the store.
    package static func secret(_ keyFile: String) throws -> SlotSecret {
        try SlotSecret(kind: .keyFile, bytes: SecretBytes(copying: ColumnFile.read(keyFile)))
    }

    private static func write(_ mutation: Mutation, to engine: StoreEngine) throws {
        let outcome = Mutex<Result<MutationResult, StoreError>?>(nil)
        engine.submit(WriteRequest(mutation), here: true) { result in outcome.withLock { $0 = result } }
        guard eventually({ outcome.withLock { $0 != nil } }) else { throw StoreError(.internal, "no answer came") }
        _ = try outcome.withLock { $0 }?.get()
    }
}

enum ColumnFile {
    static func read(_ path: String) throws -> [UInt8] {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw StoreError(.internal, "\(path) cannot be read")
        }
        return Array(content)
    }
}
