import FoundationEssentials
import StoreBasics
import StoreCrypto
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum BackupCalls {
    static let createBackup = CallRule(.administration, .read) { _ in
        .administration { (engine, progress) throws(StoreError) in
            AdministrationOutcome(.backup(WireBackup(try engine.createBackup(progress: progress))))
        }
    }

    static let listBackups = CallRule(.administration, .read) { _ in
        .administration { (engine, _) throws(StoreError) in
            let backups = try engine.listBackups()
            return AdministrationOutcome(.backups(.with { $0.backups = backups.map { WireBackup($0) } }))
        }
    }

    static let readBackup = CallRule(.administration, .read) {
        (request: WireReadBackupRequest, _) throws(StoreError) in
        guard request.length >= 1, request.length <= FrameLimits.backupChunkBytesMax else {
            throw .invalidArgument("the field 'length' must be 1 to \(FrameLimits.backupChunkBytesMax)")
        }
        let name = try backupName(request.name)
        let transfer = Transfer(direction: .download, backup: name, isBeginning: request.offset == 0)
        return .administration(transfer: transfer) { (engine, _) throws(StoreError) in
            let chunk = try engine.readBackup(name: name, offset: request.offset, length: Int(request.length))
            return AdministrationOutcome(
                .backupData(
                    .with {
                        $0.data = Data(chunk.data)
                        $0.totalBytes = chunk.totalBytes
                    }))
        }
    }

    static let beginBackupUpload = CallRule(.administration, .read) {
        (request: WireBeginBackupUploadRequest, _) throws(StoreError) in
        .administration { (engine, _) throws(StoreError) in
            let name = try engine.beginBackupUpload(bytes: request.totalBytes)
            return AdministrationOutcome(.beginBackupUpload(.with { $0.name = name }))
        }
    }

    static let writeBackup = CallRule(.administration, .read, bytesMax: CallLimits.pieceBytesMax) {
        (request: WireWriteBackupRequest, _) throws(StoreError) in
        guard request.data.count <= FrameLimits.backupChunkBytesMax else {
            throw .invalidArgument("the chunk has more than \(FrameLimits.backupChunkBytesMax) bytes")
        }
        let name = try backupName(request.name)
        let data = [UInt8](request.data)
        let transfer = Transfer(direction: .upload, backup: name, isBeginning: request.offset == 0)
        return .administration(transfer: transfer) { (engine, _) throws(StoreError) in
            let received = try engine.writeBackup(name: name, offset: request.offset, data: data)
            return AdministrationOutcome(.writeBackup(.with { $0.bytesReceived = received }))
        }
    }

    static let verifyBackup = CallRule(.administration, .read) {
        (request: WireVerifyBackupRequest, secrets) throws(StoreError) in
        let name = try backupName(request.name)
        let secret = try secrets.takeSecret(kind: request.secret.kind)
        return .administration(triesPassphrase: request.secret.kind == .passphrase) {
            (engine, progress) throws(StoreError) in
            let report = try engine.verifyBackup(name: name, secret: secret?.take(), progress: progress)
            return AdministrationOutcome(.backupReport(WireBackupReport(report)))
        }
    }

    static let restoreBackup = CallRule(.administration, .barrier) {
        (request: WireRestoreBackupRequest, secrets) throws(StoreError) in
        let name = try backupName(request.name)
        let secret = try secrets.takeSecret(kind: request.secret.kind)
        return .administration(triesPassphrase: request.secret.kind == .passphrase) {
            (engine, progress) throws(StoreError) in
            let statistics = try engine.restoreBackup(
                name: name, secret: secret?.take(), replaceExisting: request.replaceExisting, progress: progress)
            let databaseBytes = UInt64(clamping: engine.storage().databaseBytes)
            return AdministrationOutcome(
                .restoreBackup(.with { $0.statistics = WireStatistics(statistics, databaseBytes: databaseBytes) }))
        }
    }

    static let deleteBackup = CallRule(.administration, .read) {
        (request: WireDeleteBackupRequest, _) throws(StoreError) in
        let name = try backupName(request.name)
        return .administration { (engine, _) throws(StoreError) in
            try engine.deleteBackup(name: name)
            return AdministrationOutcome(.deleteBackup(WireDeleteBackupResponse()))
        }
    }

    private static func backupName(_ text: String) throws(StoreError) -> String {
        guard !text.isEmpty, text.utf8.count <= CallLimits.backupNameBytesMax else {
            throw .invalidArgument("the backup's name is empty or too long")
        }
        return text
    }
}
