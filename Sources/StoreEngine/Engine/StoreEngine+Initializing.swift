import Logging
import SQLCipher
import StoreBasics
package import StoreCrypto

extension StoreEngine {
    /// Creates a new store and opens it.
    ///
    /// If the process is killed at any moment, either no store exists or a complete one. The database is completed
    /// under another name before the keyring is written, and gets its own name afterwards.
    ///
    /// - Returns: The recovery code in printable ASCII, if requested. It cannot be read again later.
    /// - Throws: `.storeExists`, `.lowCostRefused`, `.invalidArgument`, `.diskFull`.
    package func initialize(
        secret: consuming SlotSecret, label: String, withRecoveryCode: Bool, lowCost: Bool
    ) throws(StoreError) -> SecretBytes? {
        let box = SlotSecretBox(secret)
        let cost = try derivationCost(lowCost: lowCost)
        let code = try administer { () throws(StoreError) in
            try makeStore(box.takeOrThrow(), label: label, withRecoveryCode: withRecoveryCode, cost: cost)
        }
        return code?.take()
    }

    /// Returns the cost of key derivation.
    ///
    /// - Throws: `.lowCostRefused` if a low cost is requested, but the configuration does not allow it.
    func derivationCost(lowCost: Bool) throws(StoreError) -> KeyDerivationCost {
        guard lowCost else { return .moderate }
        guard configuration.allowLowCost else {
            throw StoreError(
                .lowCostRefused, "the daemon's configuration does not allow low-cost keys, which are only for tests")
        }
        return .lowForTests
    }

    private func makeStore(
        _ secret: consuming SlotSecret, label: String, withRecoveryCode: Bool, cost: KeyDerivationCost
    ) throws(StoreError) -> SecretBox? {
        try StoreReplacement(directory).finishInterrupted()
        guard try keyringOfStore() == nil else {
            throw StoreError(
                .storeExists,
                """
                a store exists in this state directory; unlock it, or choose another state directory
                """)
        }
        let borrowed = secret
        let now = configuration.clocks.wall()
        var unlocked = try mappedKeys(
            Keyring.create(secret: borrowed, label: label, cost: cost, nowMicroseconds: now.microseconds))
        var code: SecretBox?
        if withRecoveryCode {
            code = try addRecoveryCode(to: &unlocked, label: "recovery code", cost: cost).code
        }
        // Create the journal's folder now, so that an error of the folder occurs before the keyring is written.
        _ = try JournalFolder(in: directory)
        let databaseKey = try mappedKeys(unlocked.databaseKey(.current))
        try makeDatabase(databaseKey, now: now)
        try StoreMarkFile.create(StoreMark(revision: 0), in: directory, under: mappedKeys(unlocked.markKey()))
        let (keyring, path) = (unlocked.keyring, directory.path)
        try mappedKeys(KeyringFile.write(keyring, inDirectory: path))
        do throws(StoreError) {
            try directory.rename(directory.nextDatabase, to: directory.database)
            try openDatabase(unlocked)
        } catch {
            throw error.asDurabilityLost
        }
        logger.info("a new store was created")
        return code
    }

    /// Creates a recovery code and adds a slot that the code opens.
    func addRecoveryCode(
        to unlocked: inout UnlockedKeyring, label: String, cost: KeyDerivationCost
    ) throws(StoreError) -> (code: SecretBox, slot: Int) {
        let printed = try mappedKeys(RecoveryCode.generate())
        let secret = try printed.withUnsafeBytes { bytes throws(StoreError) in
            try mappedKeys(SlotSecret(kind: .recoveryCode, bytes: SecretBytes(copying: bytes)))
        }
        let now = Timestamp.now.microseconds
        let slot = try mappedKeys(unlocked.addSlot(secret: secret, label: label, cost: cost, nowMicroseconds: now))
        return (SecretBox(printed), slot)
    }

    /// Creates a complete, closed, durable database under the name `nextDatabase`.
    private func makeDatabase(_ key: borrowing SecretBytes, now: Timestamp) throws(StoreError) {
        let next = directory.nextDatabase
        try directory.remove(database: next)
        try key.withUnsafeBytes { bytes throws(StoreError) in
            let connection = try mapped(
                Connection(path: next, key: bytes, mode: .create, profile: .ghoststore, versions: libraries))
            defer { connection.close() }
            try Schema.create(connection, now: now)
            _ = try mapped(connection.checkpoint(.truncate))
        }
        try directory.sync(file: next)
        try directory.sync()
    }
}
