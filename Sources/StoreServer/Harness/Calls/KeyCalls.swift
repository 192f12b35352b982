import FoundationEssentials
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum KeyCalls {
    static let initializeStore = CallRule(.administration, .barrier) {
        (request: WireInitializeStoreRequest, secrets) throws(StoreError) in
        let secret = try required(secrets.takeSecret(kind: request.secret.kind))
        let label = try label(request.label)
        return .administration { (engine, _) throws(StoreError) in
            let code = try engine.initialize(
                secret: try secret.takeOrThrow(), label: label, withRecoveryCode: request.withRecoveryCode,
                lowCost: request.lowCost)
            return AdministrationOutcome(code) { codeBytes in
                .initializeStore(.with { $0.recoveryCode = Data(count: codeBytes) })
            }
        }
    }

    static let unlock = CallRule(.administration, .barrier) {
        (request: WireUnlockRequest, secrets) throws(StoreError) in
        let secret = try required(secrets.takeSecret(kind: request.secret.kind))
        return .administration(triesPassphrase: request.secret.kind == .passphrase) { (engine, _) throws(StoreError) in
            let slot = try engine.unlock(secret: try secret.takeOrThrow(), acceptingLoss: request.acceptLoss)
            return AdministrationOutcome(.unlock(.with { $0.slot = UInt32(clamping: slot) }), slot: slot)
        }
    }

    static let lock = CallRule(.administration, .barrier) { _ in
        .administration(isUrgent: true) { (engine, _) throws(StoreError) in
            try engine.lock()
            return AdministrationOutcome(.lock(WireLockResponse()))
        }
    }

    static let listKeySlots = CallRule(.administration, .read) { _ in
        .administration { (engine, _) throws(StoreError) in
            let slots = try engine.keySlots()
            let configured = try engine.configuredKey()
            return AdministrationOutcome(
                .keySlots(
                    .with {
                        $0.slots = slots.map { WireKeySlot($0, isConfigured: configured == .opens(slot: $0.number)) }
                        $0.configuredKey = WireConfiguredKey(configured)
                    }))
        }
    }

    static let addKeySlot = CallRule(.administration, .read) {
        (request: WireAddKeySlotRequest, secrets) throws(StoreError) in
        let authorization = try required(secrets.takeSecret(kind: request.secret.kind))
        let given = try secrets.takeNewSecret(kind: request.newSecret.kind)
        let isRecoveryCode = request.newSecret.kind == .recoveryCode
        guard given == nil || !isRecoveryCode else {
            throw .invalidArgument("the daemon makes recovery codes itself; leave new_secret.value empty")
        }
        guard given != nil || isRecoveryCode else { throw .invalidArgument("new_secret is missing or empty") }
        let label = try label(request.label)
        return .administration(triesPassphrase: request.secret.kind == .passphrase) { (engine, _) throws(StoreError) in
            let new: NewSlotSecret
            if let given {
                new = .given(try given.takeOrThrow())
            } else {
                new = .generateRecoveryCode
            }
            let added = try engine.addKeySlot(
                authorizedBy: try authorization.takeOrThrow(), new: new, label: label, lowCost: request.lowCost)
            let slot = added.number
            return AdministrationOutcome(added.takeRecoveryCode(), slot: slot) { codeBytes in
                .addKeySlot(
                    .with {
                        $0.slot = UInt32(clamping: slot)
                        $0.recoveryCode = Data(count: codeBytes)
                    })
            }
        }
    }

    static let removeKeySlot = CallRule(.administration, .read) {
        (request: WireRemoveKeySlotRequest, secrets) throws(StoreError) in
        let authorization = try required(secrets.takeSecret(kind: request.secret.kind))
        return .administration(triesPassphrase: request.secret.kind == .passphrase, slot: Int(request.slot)) {
            (engine, _) throws(StoreError) in
            try engine.removeKeySlot(
                authorizedBy: try authorization.takeOrThrow(), number: Int(request.slot),
                evenIfConfigured: request.evenIfConfigured)
            return AdministrationOutcome(.removeKeySlot(WireRemoveKeySlotResponse()))
        }
    }

    static let changePassphrase = CallRule(.administration, .read) {
        (request: WireChangePassphraseRequest, secrets) throws(StoreError) in
        let old = try required(secrets.takeSecret(kind: request.secret.kind))
        let new = try required(secrets.takeNewSecret(kind: request.newSecret.kind), named: "new_secret")
        return .administration(triesPassphrase: request.secret.kind == .passphrase) { (engine, _) throws(StoreError) in
            let slot = try engine.changePassphrase(
                old: try old.takeOrThrow(), new: try new.takeOrThrow(), lowCost: request.lowCost)
            return AdministrationOutcome(.changePassphrase(.with { $0.slot = UInt32(clamping: slot) }), slot: slot)
        }
    }

    static let rotateMasterKey = CallRule(.administration, .read) { _ in
        .administration { (engine, progress) throws(StoreError) in
            let generation = try engine.rotateMasterKey(progress: progress)
            return AdministrationOutcome(.rotateMasterKey(.with { $0.generation = generation }))
        }
    }

    /// Returns the secret of a call that requires one. Only verify and restore accept a request without a secret.
    private static func required(
        _ secret: SlotSecretBox?, named name: String = "secret"
    ) throws(StoreError) -> SlotSecretBox {
        guard let secret else { throw .invalidArgument("\(name) is missing or empty") }
        return secret
    }

    private static func label(_ text: String) throws(StoreError) -> String {
        guard text.utf8.count <= CallLimits.labelBytesMax else {
            throw .invalidArgument("the label has \(text.utf8.count) bytes; the limit is \(CallLimits.labelBytesMax)")
        }
        return text
    }
}

extension WireKeySlot {
    init(_ slot: KeySlotInfo, isConfigured: Bool) {
        self.init(slot)
        self.isConfigured = isConfigured
    }
}
