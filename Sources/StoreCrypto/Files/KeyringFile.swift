import Glibc
import StoreBasics

/// The keyring in its directory: `keyring`, and `keyring.previous` as it was before the last write.
package enum KeyringFile {
    package static let name = "keyring"
    package static let previousName = "keyring.previous"
    static let temporaryName = "keyring.new"

    /// The keyring of a state directory; `nil` only when there is none.
    ///
    /// - Throws: `.keyringDamaged`, `.keyringVersionUnknown`; `.storageFailed` when it cannot be read.
    package static func read(inDirectory path: String) throws(CryptoError) -> Keyring? {
        let directory = try OwnedDescriptor.directory(path)
        return try read(inDirectory: directory.number)
    }

    /// The same, by the descriptor of the directory.
    package static func read(inDirectory descriptor: Int32) throws(CryptoError) -> Keyring? {
        // O_NONBLOCK: a pipe in the keyring's place must not make this wait.
        guard let file = OwnedDescriptor(opening: name, in: descriptor, O_RDONLY | O_NONBLOCK) else {
            if errno == ENOENT { return nil }
            throw .system("open the \(name) file", errno: errno)
        }
        guard let status = try file.regularFileStatus("the \(name) file") else {
            throw CryptoError(.storageFailed, "cannot read the keyring: it is not a regular file")
        }
        guard status.st_size <= KeyringFormat.fileBytesMax else { throw .damaged("the file is larger than 64 KiB") }
        return try Keyring.parse(try bytes(of: file))
    }

    /// Replaces the keyring of a state directory so that a crash at any moment leaves the old or the new one, whole,
    /// under the name `keyring`; the old one becomes `keyring.previous`. Durable on return. Mode 0600.
    ///
    /// One writer at a time: the caller holds the state directory's lock.
    ///
    /// - Throws: `.diskFull`, `.storageFailed`: the old keyring is still in place. `.durabilityLost` when only making
    ///   the replacement durable failed.
    package static func write(_ keyring: Keyring, inDirectory path: String) throws(CryptoError) {
        let directory = try OwnedDescriptor.directory(path)
        try write(keyring, inDirectory: directory.number)
    }

    /// The same, by the descriptor of the directory.
    package static func write(_ keyring: Keyring, inDirectory descriptor: Int32) throws(CryptoError) {
        let replacement = try KeyringReplacement(keyring, directory: descriptor)
        do throws(CryptoError) {
            for step in KeyringReplacement.Step.allCases {
                try replacement.perform(step)
            }
        } catch {
            replacement.removeTemporaries()
            throw error
        }
    }

    /// Removes what a write that a crash cut off has left.
    ///
    /// - Throws: `.storageFailed`.
    package static func removeLeftovers(inDirectory path: String) throws(CryptoError) {
        let directory = try OwnedDescriptor.directory(path)
        try KeyringReplacement.removeLeftovers(in: directory.number)
    }

    /// One byte more than a keyring may have, so that a file which grew is seen.
    private static func bytes(of file: borrowing OwnedDescriptor) throws(CryptoError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: KeyringFormat.fileBytesMax + 1)
        let count = try buffer.withUnsafeMutableBufferPointer { (buffer) throws(CryptoError) in
            try file.read(into: UnsafeMutableRawBufferPointer(buffer), "the \(name) file")
        }
        return Array(buffer.prefix(count))
    }
}

/// The replacement of a keyring file as a list of steps, so that a test can stop after each.
struct KeyringReplacement {
    enum Step: CaseIterable {
        /// What an earlier crash left is removed.
        case removeLeftovers
        case writeTemporary
        /// The old keyring gets a second name; `keyring` stays in place.
        case linkPrevious
        /// The second name takes the place of the previous keyring.
        case replacePrevious
        /// The moment of change: rename(2) replaces atomically.
        case replaceKeyring
        case synchronizeDirectory
    }

    private static let previousTemporaryName = KeyringFile.previousName + ".new"

    private let bytes: [UInt8]
    private let directory: Int32

    /// - Throws: `.keyringDamaged` rather than write what could not be read again.
    init(_ keyring: Keyring, directory: Int32) throws(CryptoError) {
        bytes = keyring.serialized()
        self.directory = directory
        _ = try Keyring.parse(bytes)
    }

    func perform(_ step: Step) throws(CryptoError) {
        switch step {
        case .removeLeftovers: try Self.removeLeftovers(in: directory)
        case .writeTemporary: try writeTemporary()
        case .linkPrevious: try linkPrevious()
        case .replacePrevious: try replacePrevious()
        case .replaceKeyring: try rename(KeyringFile.temporaryName, to: KeyringFile.name)
        case .synchronizeDirectory:
            guard fsync(directory) == 0 else {
                let failure = CryptoError.system("sync the keyring's directory to disk", errno: errno)
                throw CryptoError(.durabilityLost, failure.message)
            }
        }
    }

    /// After a failure; what cannot be removed now is removed by the next replacement.
    func removeTemporaries() {
        unlinkat(directory, KeyringFile.temporaryName, 0)
        unlinkat(directory, Self.previousTemporaryName, 0)
    }

    private func writeTemporary() throws(CryptoError) {
        let name = KeyringFile.temporaryName
        guard let file = OwnedDescriptor(opening: name, in: directory, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600) else {
            throw .system("create \(name)", errno: errno)
        }
        // Also where the umask took bits away from the mode above.
        guard fchmod(file.number, 0o600) == 0 else { throw .system("set the mode of \(name)", errno: errno) }
        try bytes.withUnsafeBufferPointer { (bytes) throws(CryptoError) in
            try file.write(UnsafeRawBufferPointer(bytes), name)
        }
        try file.synchronize(name)
    }

    private func linkPrevious() throws(CryptoError) {
        guard linkat(directory, KeyringFile.name, directory, Self.previousTemporaryName, 0) == 0 || errno == ENOENT
        else { throw .system("keep the previous keyring", errno: errno) }
    }

    /// The first keyring has no previous one. rename(2) of two names for one file does nothing, and this is the
    /// case after a crash between two steps, so the second name is removed too.
    private func replacePrevious() throws(CryptoError) {
        guard
            renameat(directory, Self.previousTemporaryName, directory, KeyringFile.previousName) == 0
                || errno == ENOENT
        else { throw .system("keep the previous keyring", errno: errno) }
        try Self.remove(Self.previousTemporaryName, in: directory)
    }

    private func rename(_ name: String, to newName: String) throws(CryptoError) {
        guard renameat(directory, name, directory, newName) == 0 else {
            throw .system("rename \(name) to \(newName)", errno: errno)
        }
    }

    static func removeLeftovers(in directory: Int32) throws(CryptoError) {
        try remove(KeyringFile.temporaryName, in: directory)
        try remove(previousTemporaryName, in: directory)
    }

    private static func remove(_ name: String, in directory: Int32) throws(CryptoError) {
        guard unlinkat(directory, name, 0) == 0 || errno == ENOENT else {
            throw .system("remove \(name)", errno: errno)
        }
    }
}
