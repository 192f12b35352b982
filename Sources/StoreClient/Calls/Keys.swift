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
}

extension Answer {
    func takeRecoveryCode() -> RecoveryCodeOutput? {
        guard let code = recoveryCode?.take() else { return nil }
        return RecoveryCodeOutput(bytes: code)
    }
}
