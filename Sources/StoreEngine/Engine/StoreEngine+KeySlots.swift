import StoreBasics
package import StoreCrypto

/// The secret of a new slot: given by the caller, or created by the engine as a recovery code.
package enum NewSlotSecret: ~Copyable, Sendable {
    case given(SlotSecret)
    case generateRecoveryCode
}

/// A new slot, with its recovery code if the engine created one.
package struct AddedKeySlot: ~Copyable, Sendable {
    package let number: Int
    private let recoveryCode: SecretBytes?

    init(number: Int, recoveryCode: consuming SecretBytes?) {
        self.number = number
        self.recoveryCode = recoveryCode
    }

    /// Returns the recovery code in printable ASCII. It cannot be read again later.
    package consuming func takeRecoveryCode() -> SecretBytes? {
        recoveryCode
    }
}

/// The result of trying the daemon's configured key on the keyring.
package enum ConfiguredKey: Hashable, Sendable {
    /// No key is configured.
    case absent
    case opens(slot: Int)
    case opensNoSlot
    /// The key file or the credential cannot be read, or the keyring is damaged.
    case unusable
}

extension StoreEngine {
    /// Returns the slots of the keyring, also while the store is locked.
    ///
    /// - Throws: `.storeAbsent`, `.keyringDamaged`.
    package func keySlots() throws(StoreError) -> [KeySlotInfo] {
        guard let keyring = try keyringOfStore() else { throw StoreState.absent.notOpenError }
        return keyring.slots
    }

    /// Reads the configured key and tries it on the keyring, as the next start will do.
    ///
    /// - Throws: `.storeAbsent`, `.keyringDamaged`.
    package func configuredKey() throws(StoreError) -> ConfiguredKey {
        guard let keyring = try keyringOfStore() else { throw StoreState.absent.notOpenError }
        return configuredKey(on: keyring)
    }

    private func configuredKey(on keyring: Keyring) -> ConfiguredKey {
        do throws(CryptoError) {
            guard let secret = try configuration.readConfiguredKey() else { return .absent }
            return .opens(slot: try keyring.unlock(with: secret).openedSlot)
        } catch {
            return error.code == .wrongKey ? .opensNoSlot : .unusable
        }
    }

    /// Adds a slot to the keyring of the open store.
    ///
    /// - Throws: `.wrongKey` if `authorizedBy` opens no slot; `.keySlotsFull`; `.alreadyExists` if the new secret
    ///   already opens a slot; `.lowCostRefused`, `.storeLocked`.
    package func addKeySlot(
        authorizedBy authorization: consuming SlotSecret, new: consuming NewSlotSecret, label: String, lowCost: Bool
    ) throws(StoreError) -> AddedKeySlot {
        let box = SlotSecretBox(authorization)
        let cost = try derivationCost(lowCost: lowCost)
        let given: SlotSecretBox?
        switch consume new {
        case .given(let secret): given = SlotSecretBox(secret)
        case .generateRecoveryCode: given = nil
        }
        let (number, code) = try changeKeyring(authorizedBy: box) { keyring throws(StoreError) -> (Int, SecretBox?) in
            guard let given else {
                let added = try addRecoveryCode(to: &keyring, label: label, cost: cost)
                return (added.slot, added.code)
            }
            let secret = try given.takeOrThrow()
            return (try Self.addSlot(to: &keyring, secret, label: label, cost: cost), nil)
        }
        return AddedKeySlot(number: number, recoveryCode: code?.take())
    }

    /// Removes a slot.
    ///
    /// - Parameter evenIfConfigured: True to remove even the slot with which the daemon opens the store at its start.
    /// - Throws: `.wrongKey`, `.keySlotNotFound`, `.lastKeySlot` for the last slot that a person can use,
    ///   `.keySlotConfigured`, `.storeLocked`.
    package func removeKeySlot(
        authorizedBy authorization: consuming SlotSecret, number: Int, evenIfConfigured: Bool = false
    ) throws(StoreError) {
        let box = SlotSecretBox(authorization)
        try changeKeyring(authorizedBy: box) { keyring throws(StoreError) in
            guard evenIfConfigured || configuredKey(on: keyring.keyring) != .opens(slot: number) else {
                throw StoreError(
                    .keySlotConfigured,
                    "key slot \(number) was not removed, because the daemon opens the store with this slot at its "
                        + "start; hint: add a slot for another key first, and configure that key")
            }
            try mappedKeys(keyring.removeSlot(number))
        }
    }

    /// Replaces the passphrase of the slot that the old passphrase opens.
    ///
    /// - Returns: The slot's number.
    /// - Throws: `.wrongKey`, `.alreadyExists` if the new passphrase opens another slot, `.lowCostRefused`,
    ///   `.storeLocked`.
    package func changePassphrase(
        old: consuming SlotSecret, new: consuming SlotSecret, lowCost: Bool
    ) throws(StoreError) -> Int {
        let (oldBox, newBox) = (SlotSecretBox(old), SlotSecretBox(new))
        let cost = try derivationCost(lowCost: lowCost)
        return try administer { () throws(StoreError) in
            let oldSecret = try oldBox.takeOrThrow()
            let newSecret = try newBox.takeOrThrow()
            return try writeKeyringChange { keyring throws(StoreError) in
                try mappedKeys(keyring.rewrapSlot(opening: oldSecret, new: newSecret, cost: cost))
            }
        }
    }

    private static func addSlot(
        to keyring: inout UnlockedKeyring, _ secret: borrowing SlotSecret, label: String, cost: KeyDerivationCost
    ) throws(StoreError) -> Int {
        try mappedKeys(
            keyring.addSlot(secret: secret, label: label, cost: cost, nowMicroseconds: Timestamp.now.microseconds))
    }

    /// Changes the keyring if the caller's secret opens one of its slots.
    private func changeKeyring<Result>(
        authorizedBy box: SlotSecretBox, _ change: (inout UnlockedKeyring) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try administer { () throws(StoreError) in
            let secret = try box.takeOrThrow()
            return try writeKeyringChange { keyring throws(StoreError) in
                let current = keyring.keyring
                _ = try mappedKeys(current.unlock(with: secret))
                return try change(&keyring)
            }
        }
    }

    /// Changes the keyring in memory and on disk. If one fails, neither is changed.
    ///
    /// - Throws: The reason if the store is not open; the errors of `change`.
    func writeKeyringChange<Result>(
        _ change: (inout UnlockedKeyring) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard status.isStoreOpen else { throw status.state.notOpenError }
        let path = directory.path
        return try keys.withKeyring { keyring throws(StoreError) in
            let before = keyring.keyring
            do throws(StoreError) {
                let result = try change(&keyring)
                let after = keyring.keyring
                try mappedKeys(KeyringFile.write(after, inDirectory: path))
                return result
            } catch {
                try mappedKeys(keyring.revert(to: before))
                throw error
            }
        }
    }
}
