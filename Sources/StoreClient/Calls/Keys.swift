import StoreProtocol

/// What opens the store. These calls take secrets, are never repeated by the client, and wipe what they sent.
extension StoreClient {
    /// Makes a new store and leaves it open.
    ///
    /// - Parameters:
    ///   - secret: opens the first key slot from then on.
    ///   - label: of the first key slot, at most 64 bytes.
    ///   - withRecoveryCode: also make a recovery code and return it, once.
    ///   - lowCost: cheap key derivation for tests; refused unless the daemon's configuration allows it.
    /// - Throws: `.storeExists`, `.lowCostRefused`.
    public func initializeStore(
        secret: consuming SecretInput, label: String = "", withRecoveryCode: Bool = false, lowCost: Bool = false
    ) async throws(StoreClientError) -> RecoveryCodeOutput? {
        var call = WireInitializeStoreRequest()
        var secrets = SecretList()
        call.secret = secrets.add(secret)
        call.label = label
        call.withRecoveryCode = withRecoveryCode
        call.lowCost = lowCost
        let body = try RequestBody(.initializeStore(call), secrets: secrets, answersSecret: true)
        let answer = try await finalAnswer(to: body, .once)
        try answer.result { result in
            if case .initializeStore = result { () } else { nil }
        }
        return answer.takeRecoveryCode()
    }

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - secret: what opens one of its key slots.
    ///   - acceptingLoss: opens a store that is refused with `.journalDamaged` or `.storeRolledBack` without what is
    ///     missing: answered changes are lost then, and the store begins another history.
    /// - Returns: the number of the slot that was opened.
    /// - Throws: `.wrongKey` when the secret opens no slot, `.unlockThrottled` after three wrong passphrases,
    ///   `.storeAlreadyOpen`, `.storeAbsent`, and why the store cannot be opened: `.keyringDamaged`,
    ///   `.databaseDamaged`, `.journalDamaged`, `.storeRolledBack`, `.newerSchema`, `.storageFailed`.
    public func unlock(
        secret: consuming SecretInput, acceptingLoss: Bool = false
    ) async throws(StoreClientError) -> Int {
        var call = WireUnlockRequest()
        call.acceptLoss = acceptingLoss
        var secrets = SecretList()
        call.secret = secrets.add(secret)
        let answer = try await finalAnswer(to: RequestBody(.unlock(call), secrets: secrets), .once)
        return try answer.result { result in
            if case .unlock(let unlocked) = result { Int(unlocked.slot) } else { nil }
        }
    }

    /// Closes the store and wipes its keys from the daemon's memory. Writes that wait are committed first, as far as a
    /// second allows; long work that runs ends with `.storeLocked`, and watches wait until the store is open again.
    public func lock() async throws(StoreClientError) {
        try await answer(to: .lock(WireLockRequest()), .once) { result in
            if case .lock = result { () } else { nil }
        }
    }

    /// The key slots, by their numbers. Answered while the store is locked as well.
    public func keySlots() async throws(StoreClientError) -> [KeySlot] {
        try await listedKeySlots().slots.map(KeySlot.init)
    }

    /// Tries the daemon's own key, which it opens the store with at its start, on the key slots as they are now.
    public func configuredKey() async throws(StoreClientError) -> ConfiguredKey {
        ConfiguredKey(try await listedKeySlots().configuredKey)
    }

    private func listedKeySlots() async throws(StoreClientError) -> WireListKeySlotsResponse {
        try await answer(to: .listKeySlots(WireListKeySlotsRequest()), .read) { result in
            if case .keySlots(let list) = result { list } else { nil }
        }
    }

    /// Adds a way to open the store.
    ///
    /// - Parameters:
    ///   - secret: opens a slot now.
    ///   - new: what is to open the new slot.
    ///   - label: at most 64 bytes.
    ///   - lowCost: cheap key derivation for tests; refused unless the daemon's configuration allows it.
    /// - Throws: `.wrongKey`, `.unlockThrottled`, `.alreadyExists` where the new secret opens a slot already,
    ///   `.keySlotsFull`, `.lowCostRefused`.
    public func addKeySlot(
        authorizedBy secret: consuming SecretInput, new: consuming NewKeySlot, label: String = "",
        lowCost: Bool = false
    ) async throws(StoreClientError) -> AddedKeySlot {
        var call = WireAddKeySlotRequest()
        var secrets = SecretList()
        call.secret = secrets.add(secret)
        switch consume new {
        case .secret(let newSecret): call.newSecret = secrets.add(newSecret)
        case .generatedRecoveryCode: call.newSecret.kind = .recoveryCode
        }
        call.label = label
        call.lowCost = lowCost
        let body = try RequestBody(.addKeySlot(call), secrets: secrets, answersSecret: true)
        let answer = try await finalAnswer(to: body, .once)
        let number = try answer.result { result in
            if case .addKeySlot(let added) = result { Int(added.slot) } else { nil }
        }
        return AddedKeySlot(number: number, recoveryCode: answer.takeRecoveryCode())
    }

    /// Removes a way to open the store.
    ///
    /// - Parameters:
    ///   - number: as `keySlots()` tells it.
    ///   - secret: opens a slot now.
    ///   - evenIfConfigured: Whether to remove even the slot that the daemon opens the store with at its start. After
    ///     its next start the state is then `StoreState.wrongKey`.
    /// - Throws: `.wrongKey`, `.unlockThrottled`, `.keySlotNotFound`, `.lastKeySlot` for the last slot a person can
    ///   use, `.keySlotConfigured`.
    public func removeKeySlot(
        _ number: Int, authorizedBy secret: consuming SecretInput, evenIfConfigured: Bool = false
    ) async throws(StoreClientError) {
        var call = WireRemoveKeySlotRequest()
        var secrets = SecretList()
        call.secret = secrets.add(secret)
        call.slot = UInt32(clamping: number)
        call.evenIfConfigured = evenIfConfigured
        let answer = try await finalAnswer(to: RequestBody(.removeKeySlot(call), secrets: secrets), .once)
        try answer.result { result in
            if case .removeKeySlot = result { () } else { nil }
        }
    }

    /// Puts a new passphrase in the place of an old one.
    ///
    /// - Parameters:
    ///   - old: the passphrase of a slot.
    ///   - new: what opens this slot from then on.
    ///   - lowCost: cheap key derivation for tests; refused unless the daemon's configuration allows it.
    /// - Returns: the number of the slot that was rewrapped.
    /// - Throws: `.wrongKey`, `.unlockThrottled`, `.alreadyExists` where the new passphrase opens another slot,
    ///   `.lowCostRefused`.
    public func changePassphrase(
        old: consuming SecretInput, new: consuming SecretInput, lowCost: Bool = false
    ) async throws(StoreClientError) -> Int {
        var call = WireChangePassphraseRequest()
        var secrets = SecretList()
        call.secret = secrets.add(old)
        call.newSecret = secrets.add(new)
        call.lowCost = lowCost
        let answer = try await finalAnswer(to: RequestBody(.changePassphrase(call), secrets: secrets), .once)
        return try answer.result { result in
            if case .changePassphrase(let changed) = result { Int(changed.slot) } else { nil }
        }
    }

    /// A new master key under the same slots; the database is rewritten under it while it serves.
    /// - Parameter progress: called on the connection's thread: return quickly.
    /// - Returns: how many rotations the keyring has seen.
    /// - Throws: `.storeBusy`, `.diskFull`. When the connection is lost (`.connectionLost`) the work goes on or
    ///   has not begun: once begun on disk it is finished, by the daemon's next start if need be.
    public func rotateMasterKey(
        progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(StoreClientError) -> Int {
        try await finish(RequestBody(.rotateMasterKey(WireRotateMasterKeyRequest())), progress: progress) { result in
            if case .rotateMasterKey(let rotated) = result { Int(clamping: rotated.generation) } else { nil }
        }
    }
}

extension Answer {
    func takeRecoveryCode() -> RecoveryCodeOutput? {
        guard let code = recoveryCode?.take() else { return nil }
        return RecoveryCodeOutput(bytes: code)
    }
}
