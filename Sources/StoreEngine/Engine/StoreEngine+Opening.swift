import Logging
import SQLCipher
import StoreBasics
package import StoreCrypto

extension StoreEngine {
    /// Opens the store with the configured key. `state` shows the outcome. First completes or removes what interrupted
    /// work has left. All other files are changed only after the store was opened.
    ///
    /// - Parameter secret: `nil` if no key is configured; the store then stays locked.
    package func openWithConfiguredKey(_ secret: consuming SlotSecret?) {
        var box: SlotSecretBox?
        if let secret = consume secret {
            box = SlotSecretBox(secret)
        }
        let given = box
        administration.withLock { _ in
            do throws(StoreError) {
                // A file that cannot be removed now is removed by the next work that would create it.
                try? StoreReplacement(directory).removeLeftovers()
                try StoreReplacement(directory).finishInterrupted()
                guard let keyring = try keyringOfStore() else {
                    status.set(.absent)
                    return
                }
                guard let secret = given?.take() else {
                    status.set(.locked)
                    return
                }
                _ = try open(keyring, with: secret)
            } catch {
                endIfDurabilityIsLost(error)
                status.set(.failed(error))
                logger.error(
                    "the store was not opened", metadata: ["reason": "\(error.reason.rawValue)", "message": "\(error)"])
            }
        }
    }

    /// Records the reason for which no store can be opened: the configured key could not be read.
    package func refuseToOpen(_ error: StoreError) {
        status.set(.failed(error))
    }

    /// Opens a locked store. This is slow, because it derives the slot's key.
    ///
    /// - Parameter acceptingLoss: True to open the store even if acknowledged writes are lost, because its journal is
    ///   damaged or its database is an old copy.
    /// - Returns: The number of the slot that the secret opened.
    /// - Throws: `.wrongKey`, `.storeAbsent`, `.storeAlreadyOpen`, `.keyringDamaged`, `.databaseDamaged`,
    ///   `.journalDamaged`, `.storeRolledBack` or `.newerSchema`.
    package func unlock(secret: consuming SlotSecret, acceptingLoss: Bool = false) throws(StoreError) -> Int {
        let box = SlotSecretBox(secret)
        return try administer { () throws(StoreError) in
            guard !status.isStoreOpen else { throw StoreError(.storeAlreadyOpen, "the store is open already") }
            try StoreReplacement(directory).finishInterrupted()
            guard let keyring = try keyringOfStore() else { throw StoreState.absent.notOpenError }
            return try open(keyring, with: box.takeOrThrow(), acceptingLoss ? .foundAcceptingLoss : .found)
        }
    }

    /// Closes the store and wipes its keys. Running checks, backups, restores and rotations end first, without a
    /// result. Queued writes are committed, as far as `EngineLimits.lockMilliseconds` allows.
    package func lock() throws(StoreError) {
        interruption.interruptingWork {
            lock(noting: "the store is locked")
        }
    }

    /// Locks the store because it is idle. Waits until an administrative operation that is running has ended.
    func lockWhenIdle() {
        lock(noting: "the store was locked because it was idle")
    }

    private func lock(noting message: Logger.Message) {
        administration.withLock { _ in
            guard status.isStoreOpen else { return }
            close(telling: .locked, withinMilliseconds: EngineLimits.lockMilliseconds)
            logger.info(message)
        }
    }

    /// Stops accepting requests, closes every connection and wipes the keys. Afterwards the store is locked.
    ///
    /// - Parameters:
    ///   - ending: The ending to announce after the store was closed; `nil` for none.
    ///   - milliseconds: The time for performing the waiting writes. Writes that are left after this time are refused.
    func close(telling ending: StoreEnding?, withinMilliseconds milliseconds: UInt64) {
        let wasOpen = status.statistics != nil
        // The state is set first, so that new requests are refused. Queued requests are still performed.
        status.set(.locked)
        if wasOpen {
            interruption.interruptingWork {
                readers.closeAll(cuttingOff: true)
            }
            blobs.endAll()
            files.endAll()
            let end = MonotonicClock.nanoseconds + milliseconds * 1_000_000
            try? writer.perform(at: .afterWrites(until: end)) { context in
                // The anchor of the store's age is stored only once an hour while the store is open. Store the present
                // one, because the next opening may have to estimate the time since the stored anchor with the wall
                // clock.
                try? context.keepAnchor()
                context.close()
            }
        }
        retentionTimer.disarm()
        keys.wipe()
        if let ending {
            status.endings.notify([ending])
        }
    }

    /// Reads the keyring.
    ///
    /// - Returns: `nil` if no store was created.
    /// - Throws: `.keyringDamaged` if the keyring is missing although other files of a store exist.
    func keyringOfStore() throws(StoreError) -> Keyring? {
        let path = directory.path
        if let keyring = try mappedKeys(KeyringFile.read(inDirectory: path)) {
            return keyring
        }
        guard !directory.exists(directory.database) else {
            throw StoreError(
                .keyringDamaged,
                """
                the file keyring is missing, although its database exists; hint: stop the daemon, copy its state \
                directory, then put the file back; 'man ghoststored' has all steps
                """)
        }
        // A new store in this directory would erase the journal and the contents of the previous store.
        for folder in [JournalFolder.name, VaultFolder.name] {
            guard !StateDirectory.holdsFile(path + "/" + folder) else {
                throw StoreError(
                    .keyringDamaged,
                    """
                    the keyring and the database are missing, but the store's folder \(folder) exists; hint: stop \
                    the daemon, copy its state directory, then put the missing files back; 'man ghoststored' has all \
                    steps
                    """)
            }
        }
        return nil
    }

    /// Unlocks a keyring, completes or cancels an interrupted rotation, and opens the database.
    ///
    /// - Returns: The number of the slot that the secret opened.
    func open(
        _ keyring: Keyring, with secret: consuming SlotSecret, _ files: WriterOpening.Files = .found
    ) throws(StoreError) -> Int {
        let borrowed = secret
        var unlocked = try mappedKeys(keyring.unlock(with: borrowed))
        let slot = unlocked.openedSlot
        try RotationRecovery(directory: directory, libraries: libraries).recover(&unlocked)
        try openDatabase(unlocked, files)
        logger.info(
            "the store is open",
            metadata: ["slot": "\(slot)", "revision": "\(status.statistics?.revision ?? 0)"])
        return slot
    }

    /// Opens the database under the current master key of an unlocked keyring, and starts to use both.
    func openDatabase(
        _ unlocked: consuming UnlockedKeyring, _ files: WriterOpening.Files = .found
    ) throws(StoreError) {
        let key = try mappedKeys(unlocked.databaseKey(.current))
        try DatabaseProbe(directory: directory, libraries: libraries).check(key)
        keys.set(unlocked, databaseKey: key)
        do throws(StoreError) {
            try openWriter(files)
        } catch {
            keys.wipe()
            throw error
        }
    }

    var writerOpening: WriterOpening {
        WriterOpening(
            directory: directory, keys: keys, libraries: libraries,
            journalSegmentBytes: configuration.journalSegmentBytes)
    }

    private func openWriter(_ found: WriterOpening.Files) throws(StoreError) {
        let opening = writerOpening
        let status = status
        let outcome = try writer.perform { context throws(StoreError) in
            let outcome = try opening.open(found, context)
            status.setLoss(outcome.loss)
            // Set the state on the writer thread, so that no commit can come between reading the counters and setting
            // them. Later commits update them.
            status.set(
                .open, statistics: context.statistics, fileUsage: context.fileUsage, damage: outcome.damage)
            if context.isDiskFull {
                status.setDiskFull()
            }
            return outcome
        }
        logOutcome(outcome)
        guard outcome.damage == nil else { return }
        // Request this before any client can write, so that only messages are deleted that were due when the store was
        // opened.
        removeDueMessages()
        files.beginCleaning(directory)
    }
}

extension StoreEngine {
    private func logOutcome(_ outcome: WriterOpening.Outcome) {
        if let damage = outcome.damage {
            logger.error(
                outcome.isCaughtUp
                    ? "the store accepts no writes: some of its pages are damaged"
                    : "the store accepts no writes: pages are damaged, and the journal could not be applied to them",
                metadata: ["message": "\(damage)"])
        }
        if outcome.loss.isCertain {
            logger.warning(
                "the store was opened, and acknowledged changes were dropped, as requested; it has a new history",
                metadata: [
                    "missing_revisions": "\(outcome.loss.missingRevisions)",
                    "missing_records": "\(outcome.loss.missingRecords)",
                ])
        }
    }
}

extension SlotSecretBox {
    /// Takes the secret.
    ///
    /// - Throws: `.internal` if it was taken before. That is a programmer's error, but it must not end the daemon.
    package func takeOrThrow() throws(StoreError) -> SlotSecret {
        guard let secret = take() else { throw .fault("the daemon read the secret of a request a second time") }
        return secret
    }
}
