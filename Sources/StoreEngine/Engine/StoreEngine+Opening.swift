import Logging
import SQLCipher
import StoreBasics
package import StoreCrypto

extension StoreEngine {
    /// Opens the store with the key the daemon was configured with. The outcome is in `state`; whatever it is,
    /// nothing that was there has been changed or removed unless the store opened.
    ///
    /// - Parameter secret: `nil` when no key is configured: a store stays locked then.
    package func openWithConfiguredKey(_ secret: consuming SlotSecret?) {
        var box: SlotSecretBox?
        if let secret = consume secret {
            box = SlotSecretBox(secret)
        }
        let given = box
        administration.withLock { _ in
            do throws(StoreError) {
                // What cannot be removed now is removed by the work that would make it again.
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

    /// Says why there is no store to open: the configured key could not be had.
    package func refuseToOpen(_ error: StoreError) {
        status.set(.failed(error))
    }

    /// Opens a locked store. Slow: derives the slot's key.
    ///
    /// - Parameter acceptingLoss: opens a store whose journal is damaged, or that is older than what was answered,
    ///   without what is missing.
    /// - Returns: the number of the slot that the secret opened.
    /// - Throws: `.wrongKey`, `.storeAbsent`, `.storeAlreadyOpen`, `.keyringDamaged`, `.databaseDamaged`,
    ///   `.journalDamaged`, `.storeRolledBack` or `.newerSchema`.
    package func unlock(secret: consuming SlotSecret, acceptingLoss: Bool = false) throws(StoreError) -> Int {
        let box = SlotSecretBox(secret)
        return try administer { () throws(StoreError) in
            guard !status.isStoreOpen else { throw StoreError(.storeAlreadyOpen, "the store is open already") }
            try StoreReplacement(directory).finishInterrupted()
            guard let keyring = try keyringOfStore() else { throw StoreState.absent.notOpenError }
            return try open(keyring, with: box.taken(), acceptingLoss ? .foundAcceptingLoss : .found)
        }
    }

    /// Closes the store and wipes its keys. Checks, backups, restores and rotations under way end first, without a
    /// result; writes queued before are committed, as far as `EngineLimits.lockMilliseconds` allow.
    package func lock() throws(StoreError) {
        interruption.duringLock {
            lock(noting: "the store is locked")
        }
    }

    /// The same, but waits for administration under way: that is no idle time.
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

    /// Stops taking requests, closes every connection and wipes the keys: the store is locked afterwards.
    ///
    /// - Parameters:
    ///   - ending: what those who follow the store are told once it is closed; `nil` for nothing.
    ///   - milliseconds: how long writes that wait may take; those that are left are refused.
    func close(telling ending: StoreEnding?, withinMilliseconds milliseconds: UInt64) {
        let wasOpen = status.statistics != nil
        // The state first: from here on requests are refused, those in the queue still run.
        status.set(.locked)
        if wasOpen {
            interruption.duringLock {
                readers.closeAll(cuttingOff: true)
            }
            blobs.endAll()
            files.endAll()
            let end = MonotonicClock.nanoseconds + milliseconds * 1_000_000
            try? writer.perform(at: .afterWrites(until: end)) { context in
                // Without it the wall clock tells of up to an hour more how much time has passed.
                try? context.keepAnchor()
                context.close()
            }
        }
        retentionAlarm.clear()
        keys.clear()
        if let ending {
            status.endings.tell([ending])
        }
    }

    /// - Returns: `nil` where no store has been made.
    /// - Throws: `.keyringDamaged` if the keyring is missing beside other files of a store.
    func keyringOfStore() throws(StoreError) -> Keyring? {
        let path = directory.path
        if let keyring = try mappedKeys(KeyringFile.read(inDirectory: path)) {
            return keyring
        }
        guard !directory.exists(directory.database) else {
            throw StoreError(
                .keyringDamaged,
                """
                the file keyring is missing, although its database exists; put keyring.previous or the keyring of \
                a backup in its place
                """)
        }
        // A new store in this directory would erase the journal and the contents of the previous store.
        for folder in [JournalFolder.name, VaultFolder.name] {
            guard !StateDirectory.holdsFile(path + "/" + folder) else {
                throw StoreError(
                    .keyringDamaged,
                    """
                    the keyring and the database are missing, but the store's folder \(folder) exists; put the \
                    missing files back, or restore a backup
                    """)
            }
        }
        return nil
    }

    /// Unlocks a keyring and opens its database.
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

    /// Opens the database under the current master key of an unlocked keyring and takes both into use.
    func openDatabase(
        _ unlocked: consuming UnlockedKeyring, _ files: WriterOpening.Files = .found
    ) throws(StoreError) {
        let key = try mappedKeys(unlocked.databaseKey(.current))
        try DatabaseProbe(directory: directory, libraries: libraries).check(key)
        keys.set(unlocked, databaseKey: key)
        do throws(StoreError) {
            try openWriter(files)
        } catch {
            keys.clear()
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
            status.note(outcome.loss)
            // On the writer thread: no commit comes between the counters and the state that keeps them up to date.
            status.set(
                .open, statistics: context.statistics, fileUsage: context.fileUsage, damage: outcome.damage)
            if context.isDiskFull {
                status.noteDiskFull()
            }
            return outcome
        }
        tell(outcome)
        guard outcome.damage == nil else { return }
        // Queued before anybody can write: what is written next is not taken for what was due at the opening.
        removeDueMessages()
        files.beginCleaning(directory)
    }
}

extension StoreEngine {
    /// A line for each thing there is to say.
    private func tell(_ outcome: WriterOpening.Outcome) {
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
    /// - Throws: `.internal` when it has been taken before: a programmer's error that must not end the daemon.
    package func taken() throws(StoreError) -> SlotSecret {
        guard let secret = take() else { throw StoreError(.internal, "a secret was used twice") }
        return secret
    }
}
