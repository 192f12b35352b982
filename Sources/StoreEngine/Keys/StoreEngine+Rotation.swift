internal import Logging
import SQLCipher
import StoreCrypto

extension StoreEngine {
    /// Gives the store a new master key and rewrites the database under it, while it goes on serving.
    ///
    /// The database is copied page by page into a new one under the next key; writes reach the copy as they happen.
    /// Then the two are swapped in one rename, which is the moment of the change: killed before it, the store comes up
    /// with the old key, after it with the new one (see `RotationRecovery`).
    ///
    /// - Returns: how many rotations the keyring has seen.
    /// - Throws: `.storeLocked`, `.diskFull` when there is no room for the copy; the store goes on with the old key.
    public func rotateMasterKey(progress: (Progress) -> Void) throws(StoreError) -> UInt64 {
        try administration.withLock { _ throws(StoreError) in
            guard status.state.isOpen else {
                throw status.state.notOpenError
            }
            try StoreReplacement(directory).discardNext()
            try beginRotation()
            let copy: DatabaseCopy
            do throws(StoreError) {
                copy = try copyUnderNextKey(progress: progress)
            } catch {
                try? cancelRotation()
                throw error
            }
            return try switchToNextKey(copy)
        }
    }

    private func beginRotation() throws(StoreError) {
        let path = directory.path
        try keys.withKeyring { keyring throws(StoreError) in
            do throws(CryptoError) {
                try keyring.beginRotation()
            } catch {
                throw StoreError(error)
            }
            let pending = keyring.keyring
            do throws(StoreError) {
                try mappedKeys { () throws(CryptoError) in try KeyringFile.write(pending, inDirectory: path) }
            } catch {
                keyring.cancelRotation()
                throw error
            }
        }
    }

    private func cancelRotation() throws(StoreError) {
        let path = directory.path
        try keys.withKeyring { keyring throws(StoreError) in
            keyring.cancelRotation()
            let settled = keyring.keyring
            try mappedKeys { () throws(CryptoError) in try KeyringFile.write(settled, inDirectory: path) }
        }
        try StoreReplacement(directory).discardNext()
    }

    private func copyUnderNextKey(progress: (Progress) -> Void) throws(StoreError) -> DatabaseCopy {
        let key = try keys.withKeyring { keyring throws(StoreError) in
            SecretBox(
                try keyring.withMasterKey(.next) { master throws(StoreError) in
                    try mappedKeys { () throws(CryptoError) in try master.databaseKey() }
                })
        }
        let copy = DatabaseCopy(path: directory.nextDatabase, key: key, libraries: libraries)
        do throws(StoreError) {
            try writer.perform { context throws(StoreError) in try copy.start(context) }
            while true {
                let step = try writer.perform { _ throws(StoreError) in try copy.step() }
                progress(step.progress)
                if step.isNearlyFinished {
                    return copy
                }
            }
        } catch {
            try? writer.perform { _ in copy.abandon() }
            throw error
        }
    }

    /// From the last copied page to the new key in use: on the writer thread, so that no write comes between, and
    /// behind the closed gate, so that no reader holds the old file.
    private func switchToNextKey(_ copy: DatabaseCopy) throws(StoreError) -> UInt64 {
        let change = MasterKeySwitch(directory: directory, keys: keys, libraries: libraries)
        do throws(StoreError) {
            try gate.close { () throws(StoreError) in
                readers.closeAll()
                try writer.perform { context throws(StoreError) in try change.run(copy, context) }
                status.invalidateConnections()
            }
        } catch {
            // The next start settles which of the two keys the store has.
            close(into: .failed(error))
            throw error
        }
        let generation = try keys.withKeyring { keyring throws(StoreError) in keyring.keyring.generation }
        logger.info("the master key was rotated", metadata: ["generation": "\(generation)"])
        return generation
    }
}
