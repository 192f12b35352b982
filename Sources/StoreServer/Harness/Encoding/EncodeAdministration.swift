internal import FoundationEssentials
internal import StoreCrypto
internal import StoreEngine
internal import StoreProtocol
internal import SwiftProtobuf

extension ResponseEncoder {
    static func result(of answer: AdministrationAnswer) -> WireResponse.OneOf_Result {
        switch answer {
        case .initialized: .initializeStore(WireInitializeStoreResponse())
        case .unlocked(let slot): .unlock(.with { $0.slot = UInt32(clamping: slot) })
        case .locked: .lock(WireLockResponse())
        case .keySlots(let slots): .keySlots(.with { $0.slots = slots.map { wire($0) } })
        case .keySlotAdded(let slot): .addKeySlot(.with { $0.slot = UInt32(clamping: slot) })
        case .keySlotRemoved: .removeKeySlot(WireRemoveKeySlotResponse())
        case .passphraseChanged(let slot): .changePassphrase(.with { $0.slot = UInt32(clamping: slot) })
        case .masterKeyRotated(let generation): .rotateMasterKey(.with { $0.generation = generation })
        case .checked(let report): .checkReport(wire(report))
        case .backup(let info): .backup(wire(info))
        case .backups(let infos): .backups(.with { $0.backups = infos.map { wire($0) } })
        case .backupData(let data, let wholeBytes):
            .backupData(
                .with {
                    $0.data = Data(data)
                    $0.bytes = wholeBytes
                })
        case .uploadBegun(let name): .beginBackupUpload(.with { $0.name = name })
        case .uploadContinued(let bytes): .writeBackup(.with { $0.bytesReceived = bytes })
        case .backupVerified(let report): .backupReport(wire(report))
        case .restored(let statistics):
            .restoreBackup(.with { $0.statistics = wire(statistics, databaseBytes: 0) })
        case .backupDeleted: .deleteBackup(WireDeleteBackupResponse())
        }
    }

    private static func wire(_ slot: KeySlotInfo) -> WireKeySlot {
        var wire = WireKeySlot()
        wire.number = UInt32(clamping: slot.number)
        wire.kind = WireKeySlotKind(slot.kind)
        wire.label = slot.label
        wire.createdAtMicroseconds = slot.createdAtMicroseconds
        wire.memoryBytes = UInt64(clamping: slot.cost?.memoryBytes ?? 0)
        wire.passes = UInt32(clamping: slot.cost?.passes ?? 0)
        return wire
    }
}

extension WireKeySlotKind {
    init(_ kind: SlotKind) {
        switch kind {
        case .passphrase: self = .passphrase
        case .recoveryCode: self = .recoveryCode
        case .keyFile: self = .keyFile
        case .credential: self = .credential
        }
    }
}
