import Glibc
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

extension StoreEngine {
    /// Saves a message with the id `m<number>` for each number, one write each.
    func saveNumbered(_ numbers: Range<Int>) throws {
        for number in numbers {
            try write(.saveMessage(try Self.numbered(number)))
        }
    }

    static func numbered(_ number: Int) throws -> NewMessage {
        NewMessage(
            id: try EntityID("m\(number)"), conversation: .session(try SessionID("peer")),
            text: "numbered message \(number) " + String(repeating: "filler ", count: 40),
            timestamp: Timestamp(microseconds: Int64(number)))
    }

    func hasNumbered(_ number: Int) throws -> Bool {
        try makeReader().message(try EntityID("m\(number)")) != nil
    }

    func backUp() throws -> BackupInfo {
        try createBackup { _ in }
    }

    func verify(_ name: String, with secret: consuming SlotSecret? = nil) throws -> BackupReport {
        try verifyBackup(name: name, secret: secret) { _ in }
    }

    @discardableResult
    func restore(
        _ name: String, with secret: consuming SlotSecret? = nil, replaceExisting: Bool = true
    ) throws -> Statistics {
        try restoreBackup(name: name, secret: secret, replaceExisting: replaceExisting) { _ in }
    }
}

extension Statistics {
    /// Returns true if counts and revisions are equal and the histories differ, as after a restore.
    func isEqualButForHistory(to other: Statistics) -> Bool {
        var same = self
        same.history = other.history
        return same == other && history != other.history
    }
}

/// Returns the reason of the error that `body` throws; `nil` if it throws nothing.
func reason(_ body: () throws -> Void) -> ErrorReason? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StoreError)?.reason
    }
}

extension TemporaryStore {
    var statePath: String { path + "/state" }

    func backupPath(_ name: String) -> String {
        statePath + "/backups/" + name
    }
}

/// Functions that read and write whole files.
enum TestFile {
    static func read(_ path: String) throws -> [UInt8] {
        let file = try BackupFile(path, .read)
        return try file.read(Int(try file.size()), at: 0)
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        unlink(path)
        let file = try BackupFile(path, .create)
        try file.write(bytes, at: 0)
    }

    /// Returns the paths of all files below a folder.
    static func all(below path: String) throws -> [String] {
        var status = stat()
        guard lstat(path, &status) == 0 else { return [] }
        guard status.st_mode & S_IFMT == S_IFDIR else { return [path] }
        return try StateDirectory(path: path).fileNames().flatMap { try all(below: path + "/" + $0) }
    }

    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }
}
