internal import StoreCrypto
internal import StoreProtocol

extension RequestDecoder {
    static func decodeKeys(
        _ kind: CallKind, _ call: UnsafeRawBufferPointer, _ secrets: RequestSecrets
    ) throws(RequestFailure) -> AdministrationCommand {
        switch kind {
        case .initializeStore:
            let request = try parse(WireInitializeStoreRequest.self, call)
            return .initialize(
                try required(secrets.takeSecret(kind: request.secret.kind)), label: try label(request.label),
                withRecoveryCode: request.withRecoveryCode, lowCost: request.lowCost)
        case .unlock:
            let request = try parse(WireUnlockRequest.self, call)
            return .unlock(try required(secrets.takeSecret(kind: request.secret.kind)))
        case .lock:
            return .lock
        case .listKeySlots:
            return .listKeySlots
        case .addKeySlot:
            return try addKeySlot(try parse(WireAddKeySlotRequest.self, call), secrets)
        case .removeKeySlot:
            let request = try parse(WireRemoveKeySlotRequest.self, call)
            return .removeKeySlot(
                authorizedBy: try required(secrets.takeSecret(kind: request.secret.kind)), number: Int(request.slot))
        case .changePassphrase:
            let request = try parse(WireChangePassphraseRequest.self, call)
            return .changePassphrase(
                old: try required(secrets.takeSecret(kind: request.secret.kind)),
                new: try required(secrets.takeNewSecret(kind: request.newSecret.kind), named: "new_secret"),
                lowCost: request.lowCost)
        case .rotateMasterKey:
            return .rotateMasterKey
        default:
            preconditionFailure("\(kind) is not a call on keys")
        }
    }

    /// Verify and restore take a secret that may be left out; these calls do not.
    private static func required(
        _ secret: SlotSecretBox?, named name: String = "secret"
    ) throws(RequestFailure) -> SlotSecretBox {
        guard let secret else {
            throw .invalidArgument("\(name) is missing or empty")
        }
        return secret
    }

    private static func addKeySlot(
        _ request: WireAddKeySlotRequest, _ secrets: RequestSecrets
    ) throws(RequestFailure) -> AdministrationCommand {
        let authorization = try required(secrets.takeSecret(kind: request.secret.kind))
        let new: AdministrationCommand.NewSlot
        if let given = try secrets.takeNewSecret(kind: request.newSecret.kind) {
            guard request.newSecret.kind != .recoveryCode else {
                throw .invalidArgument("the daemon makes recovery codes itself; leave new_secret.value empty")
            }
            new = .given(given)
        } else if request.newSecret.kind == .recoveryCode {
            new = .generateRecoveryCode
        } else {
            throw .invalidArgument("new_secret is missing or empty")
        }
        return .addKeySlot(
            authorizedBy: authorization, new: new, label: try label(request.label), lowCost: request.lowCost)
    }

    private static func label(_ text: String) throws(RequestFailure) -> String {
        guard text.utf8.count <= CallLimits.labelBytesMax else {
            throw .invalidArgument("the label has \(text.utf8.count) bytes; the most is \(CallLimits.labelBytesMax)")
        }
        return text
    }
}
