import GhostTestSupport
import Logging
import ReplicaModel
import StoreCrypto
import TestBasics

@testable import StoreEngine

/// A key that only the stores of a replica group may have.
struct GroupSecret: Sendable {
    let name: String
    let bytes: [UInt8]

    /// Returns the secrets of a device whose daemon has ended: its key file, the keys of the device, and the keys of
    /// all epochs.
    static func all(of device: GroupDevice) throws -> [GroupSecret] {
        let file = device.daemon.directory.bytes(of: "key") ?? []
        let configuration = EngineConfiguration(
            stateDirectory: device.daemon.stateDirectory, onLostDurability: { _ in exitAtOnce() })
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let engine = try StoreEngine(configuration: configuration, logger: logger)
        defer { engine.shutDown() }
        engine.openWithConfiguredKey(try SlotSecret(kind: .keyFile, bytes: SecretBytes(copying: file)))
        var secrets = [GroupSecret(name: "key file of \(device.name)", bytes: file)]
        secrets += try engine.makeReader().read { connection throws(StoreError) in
            let keys = try ReplicaGroupRow.keys(connection).bytes.withUnsafeBytes { [UInt8]($0) }
            var found = [
                GroupSecret(name: "signing key of \(device.name)", bytes: Array(keys.prefix(32))),
                GroupSecret(name: "receiving key of \(device.name)", bytes: Array(keys.suffix(32))),
            ]
            for epoch in try ReplicaEpochRows.known(connection) {
                guard let key = try ReplicaEpochRows.key(of: epoch, connection) else { continue }
                found.append(
                    GroupSecret(name: "epoch \(epoch.number)", bytes: key.bytes.withUnsafeBytes { [UInt8]($0) }))
            }
            return found
        }
        return secrets
    }

    private static func exitAtOnce() -> Never {
        preconditionFailure("a store that is only read has lost something")
    }
}
