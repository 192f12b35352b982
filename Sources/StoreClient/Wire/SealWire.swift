import FoundationEssentials
import StoreProtocol

extension WireBeginArchiveRequest {
    mutating func apply(_ seal: consuming ArchiveSeal, _ secrets: inout SecretList) {
        switch consume seal {
        case .none: break
        case .passphrase(let passphrase, let isCheap): (self.passphrase, lowCost) = (secrets.add(passphrase), isCheap)
        case .recipients(let publicKeys): recipientPublicKeys = publicKeys.map { Data($0) }
        }
    }
}

extension WireBeginBlobExportRequest {
    mutating func apply(_ seal: consuming BlobSeal, _ secrets: inout SecretList) {
        switch consume seal {
        case .none: break
        case .passphrase(let passphrase, let isCheap): (self.passphrase, lowCost) = (secrets.add(passphrase), isCheap)
        case .recipient(let publicKey): recipientPublicKey = Data(publicKey)
        }
    }
}

extension WireAddKeySlotRequest {
    mutating func apply(_ new: consuming NewKeySlot, _ secrets: inout SecretList) {
        switch consume new {
        case .secret(let secret): newSecret = secrets.add(secret)
        case .generatedRecoveryCode: newSecret.kind = .recoveryCode
        }
    }
}
