import Logging
import SQLCipher
import StoreBasics
import StoreCrypto

extension StoreEngine {
    /// Gives the store a new master key and rewrites the database under it. The store stays in use meanwhile.
    ///
    /// The database is copied page by page into a new database under the next key, and writes reach the copy as they
    /// happen. Then one rename puts the copy in the place of the database. If the process is killed before the rename,
    /// the store has the old key; if it is killed after the rename, the store has the new key (see `RotationRecovery`).
    ///
    /// - Returns: The number of rotations of the keyring.
    /// - Throws: `.storeLocked`, `.shuttingDown`, `.diskFull` if there is no space for the copy. The store then
    ///   continues with the old key. A failure after the rename ends the process.
    package func rotateMasterKey(progress: (Progress) -> Void) throws(StoreError) -> UInt64 {
        try administer { () throws(StoreError) in
            guard status.state.isOpen else { throw status.state.notOpenError }
            try StoreReplacement(directory).discardNext()
            try checkRoomForCopy()
            try beginRotation()
            do throws(StoreError) {
                try switchToNextKey(copyUnderNextKey(progress: progress))
            } catch {
                try giveUpRotation(because: error)
            }
            let generation = try keys.withKeyring { keyring throws(StoreError) in keyring.keyring.generation }
            logger.info("the master key was rotated", metadata: ["generation": "\(generation)"])
            return generation
        }
    }

    /// Checks that the disk has space for the copy.
    ///
    /// - Throws: `.diskFull`.
    private func checkRoomForCopy() throws(StoreError) {
        let sizes = storage()
        let needed = UInt64(sizes.databaseBytes) + UInt64(sizes.walBytes)
        guard needed + BackupLimits.reserveBytes <= directory.freeBytes else {
            throw StoreError(
                .diskFull, "the disk has no space for a copy of the database, \(needed) bytes; free some space")
        }
    }

    private func beginRotation() throws(StoreError) {
        let path = directory.path
        try keys.withKeyring { keyring throws(StoreError) in
            try mappedKeys(keyring.beginRotation())
            let pending = keyring.keyring
            do throws(StoreError) {
                try mappedKeys(KeyringFile.write(pending, inDirectory: path))
            } catch {
                keyring.cancelRotation()
                throw error
            }
        }
    }

    /// Cancels the rotation.
    ///
    /// - Throws: Always: the failure of the rotation, or an error of cancelling with `losesDurability`.
    private func giveUpRotation(because failure: StoreError) throws(StoreError) -> Never {
        do throws(StoreError) {
            try cancelRotation()
        } catch {
            // The next start or the next rotation removes what is left of this rotation.
            logger.error("a failed rotation of the master key could not be undone", metadata: ["message": "\(error)"])
            guard !error.losesDurability else { throw error }
        }
        throw failure
    }

    private func cancelRotation() throws(StoreError) {
        let directory = directory
        try keys.withKeyring { keyring throws(StoreError) in
            keyring.cancelRotation()
            let settled = keyring.keyring
            // Remove the copy before writing the keyring, because the keyring may need the copy's space.
            try StoreReplacement(directory).discardNext()
            try mappedKeys(KeyringFile.write(settled, inDirectory: directory.path))
        }
    }

    private func copyUnderNextKey(progress: (Progress) -> Void) throws(StoreError) -> DatabaseCopy {
        let key = try keys.withKeyring { keyring throws(StoreError) in
            SecretBox(try mappedKeys(keyring.databaseKey(.next)))
        }
        let copy = DatabaseCopy(path: directory.nextDatabase, key: key, libraries: libraries)
        do throws(StoreError) {
            try writer.perform { context throws(StoreError) in try copy.start(context) }
            while true {
                try interruption.check()
                let step = try writer.perform { _ throws(StoreError) in try copy.step() }
                progress(step.progress)
                if step.isNearlyFinished {
                    // Sync the copy here, while writes continue, so that little is left to sync when the copy replaces
                    // the database.
                    try directory.sync(file: directory.nextDatabase)
                    try interruption.check()
                    return copy
                }
            }
        } catch {
            try? writer.perform { _ in copy.abandon() }
            throw error
        }
    }

    /// Copies the last pages and starts to use the new key, with no write and no read in between.
    ///
    /// - Throws: An error after which the store is unchanged. An error with `losesDurability` ends the process.
    private func switchToNextKey(_ copy: DatabaseCopy) throws(StoreError) {
        let change = MasterKeySwitch(opening: writerOpening)
        try exchangeFiles { context throws(StoreError) in try change.run(copy, context) }
    }
}
