internal import StoreBasics
internal import StoreCrypto
internal import StoreEngine
internal import StoreProtocol

/// What a piece of administration came to, with a secret for the caller where it made one.
struct AdministrationOutcome: ~Copyable {
    let answer: AdministrationAnswer
    let recoveryCode: SecretBytes?

    init(_ answer: AdministrationAnswer, recoveryCode: consuming SecretBytes? = nil) {
        self.answer = answer
        self.recoveryCode = recoveryCode
    }

    consuming func takeRecoveryCode() -> SecretBytes? {
        recoveryCode
    }
}

/// Runs administration on the engine. Blocks; for the administration queue only.
final class AdministrationService: Sendable {
    private let engine: StoreEngine
    private let throttle = UnlockThrottle()

    init(engine: StoreEngine) {
        self.engine = engine
    }

    /// - Parameter uid: who asks; wrong secrets slow this user down.
    func perform(
        _ command: AdministrationCommand, uid: UInt32, progress: @escaping (Progress) -> Void
    ) throws(RequestFailure) -> AdministrationOutcome {
        let triesSecret = command.triesSecret
        if triesSecret {
            try throttle.check(uid: uid)
        }
        do throws(StoreError) {
            let outcome = try run(command, progress: progress)
            if triesSecret {
                throttle.succeeded(uid: uid)
            }
            return outcome
        } catch {
            if triesSecret, error.reason == .wrongKey {
                throttle.failed(uid: uid)
            }
            throw RequestFailure(error)
        }
    }

    private func run(
        _ command: AdministrationCommand, progress: @escaping (Progress) -> Void
    ) throws(StoreError) -> AdministrationOutcome {
        switch command {
        case .initialize, .unlock, .lock, .listKeySlots, .addKeySlot, .removeKeySlot, .changePassphrase,
            .rotateMasterKey:
            return try runKeys(command, progress: progress)
        case .check:
            return AdministrationOutcome(.checked(try engine.check(progress: progress)))
        case .createBackup:
            return AdministrationOutcome(.backup(try engine.createBackup(progress: progress)))
        case .listBackups:
            return AdministrationOutcome(.backups(try engine.listBackups()))
        case .readBackup(let name, let offset, let length):
            let chunk = try engine.readBackup(name: name, offset: offset, length: length)
            return AdministrationOutcome(.backupData(chunk.data, wholeBytes: chunk.wholeBytes))
        case .beginBackupUpload(let bytes):
            return AdministrationOutcome(.uploadBegun(name: try engine.beginBackupUpload(bytes: bytes)))
        case .writeBackup(let name, let offset, let data):
            let received = try engine.writeBackup(name: name, offset: offset, data: data)
            return AdministrationOutcome(.uploadContinued(bytesReceived: received))
        case .verifyBackup(let name, let secret):
            let report = try engine.verifyBackup(name: name, secret: secret?.take(), progress: progress)
            return AdministrationOutcome(.backupVerified(report))
        case .restoreBackup(let name, let secret, let replaceExisting):
            let statistics = try engine.restoreBackup(
                name: name, secret: secret?.take(), replaceExisting: replaceExisting, progress: progress)
            return AdministrationOutcome(.restored(statistics))
        case .deleteBackup(let name):
            try engine.deleteBackup(name: name)
            return AdministrationOutcome(.backupDeleted)
        }
    }

    private func runKeys(
        _ command: AdministrationCommand, progress: @escaping (Progress) -> Void
    ) throws(StoreError) -> AdministrationOutcome {
        switch command {
        case .initialize(let secret, let label, let withRecoveryCode, let lowCost):
            let code = try engine.initialize(
                secret: try Self.taken(secret), label: label, withRecoveryCode: withRecoveryCode, lowCost: lowCost)
            return AdministrationOutcome(.initialized, recoveryCode: code)
        case .unlock(let secret):
            return AdministrationOutcome(.unlocked(slot: try engine.unlock(secret: try Self.taken(secret))))
        case .lock:
            try engine.lock()
            return AdministrationOutcome(.locked)
        case .listKeySlots:
            return AdministrationOutcome(.keySlots(try engine.keySlots()))
        case .addKeySlot(let authorization, let new, let label, let lowCost):
            return try addKeySlot(authorization, new, label: label, lowCost: lowCost)
        case .removeKeySlot(let authorization, let number):
            try engine.removeKeySlot(authorizedBy: try Self.taken(authorization), number: number)
            return AdministrationOutcome(.keySlotRemoved)
        case .changePassphrase(let old, let new, let lowCost):
            let slot = try engine.changePassphrase(
                old: try Self.taken(old), new: try Self.taken(new), lowCost: lowCost)
            return AdministrationOutcome(.passphraseChanged(slot: slot))
        case .rotateMasterKey:
            return AdministrationOutcome(.masterKeyRotated(generation: try engine.rotateMasterKey(progress: progress)))
        default:
            preconditionFailure("not a command on keys")
        }
    }

    private func addKeySlot(
        _ authorization: SlotSecretBox, _ new: AdministrationCommand.NewSlot, label: String, lowCost: Bool
    ) throws(StoreError) -> AdministrationOutcome {
        let secret: NewSlotSecret
        switch new {
        case .given(let box): secret = .given(try Self.taken(box))
        case .generateRecoveryCode: secret = .generateRecoveryCode
        }
        let added = try engine.addKeySlot(
            authorizedBy: try Self.taken(authorization), new: secret, label: label, lowCost: lowCost)
        let slot = added.number
        return AdministrationOutcome(.keySlotAdded(slot: slot), recoveryCode: added.takeRecoveryCode())
    }

    /// A command runs once, so its secrets are there.
    private static func taken(_ box: SlotSecretBox) throws(StoreError) -> SlotSecret {
        guard let secret = box.take() else {
            throw StoreError(.internal, "a secret was used twice")
        }
        return secret
    }
}
