import Glibc
import StoreBasics

/// The keyring's files in its directory: `keyring`, and `keyring.previous` with the content before the last write.
package enum KeyringFile {
    package static let name = "keyring"
    package static let previousName = "keyring.previous"
    static let temporaryName = "keyring.new"

    /// Reads the keyring of a state directory; returns `nil` only if the file does not exist.
    ///
    /// - Throws: `.keyringDamaged`, `.keyringVersionUnknown`; `.storageFailed` if it cannot be read.
    package static func read(inDirectory path: String) throws(CryptoError) -> Keyring? {
        let directory = try OwnedDescriptor.directory(path)
        return try read(inDirectory: directory.number)
    }

    /// Reads the keyring of a directory that is given by a descriptor.
    package static func read(inDirectory descriptor: Int32) throws(CryptoError) -> Keyring? {
        // With O_NONBLOCK, opening does not wait if the keyring was replaced by a pipe.
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

    /// Replaces the keyring of a state directory atomically: after a crash at any moment, `keyring` is the complete old
    /// or the complete new file. The old keyring becomes `keyring.previous`. The new file has mode 0600 and is durable
    /// on return.
    ///
    /// The caller must hold the state directory's lock, so that there is one writer at a time.
    ///
    /// - Throws: `.diskFull`, `.storageFailed`: the old keyring is still in place. `.durabilityLost` if only the final
    ///   sync failed.
    package static func write(_ keyring: Keyring, inDirectory path: String) throws(CryptoError) {
        let directory = try OwnedDescriptor.directory(path)
        try write(keyring, inDirectory: directory.number)
    }

    /// Replaces the keyring of a directory that is given by a descriptor.
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

    /// Removes temporary files that a crash during `write` has left.
    ///
    /// - Throws: `.storageFailed`.
    package static func removeLeftovers(inDirectory path: String) throws(CryptoError) {
        let directory = try OwnedDescriptor.directory(path)
        try KeyringReplacement.removeLeftovers(in: directory.number)
    }

    /// Returns the content of the file. Reads one byte more than a keyring may have, so that a longer file is noticed.
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
        /// Removes the temporary files of an earlier crash.
        case removeLeftovers
        case writeTemporary
        /// Creates a second name for the old keyring. `keyring` stays in place.
        case linkPrevious
        /// Renames the second name to `keyring.previous`.
        case replacePrevious
        /// Renames the new file to `keyring`. rename(2) replaces it atomically.
        case replaceKeyring
        case synchronizeDirectory
    }

    private static let previousTemporaryName = KeyringFile.previousName + ".new"

    private let bytes: [UInt8]
    private let directory: Int32

    /// - Throws: `.keyringDamaged` if the serialized bytes could not be parsed again; nothing was written then.
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

    /// Removes temporary files after a failure. If a file cannot be removed, the next replacement removes it.
    func removeTemporaries() {
        unlinkat(directory, KeyringFile.temporaryName, 0)
        unlinkat(directory, Self.previousTemporaryName, 0)
    }

    private func writeTemporary() throws(CryptoError) {
        let name = KeyringFile.temporaryName
        guard let file = OwnedDescriptor(opening: name, in: directory, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600) else {
            throw .system("create \(name)", errno: errno)
        }
        // The mode with which the file was created is not enough, because the umask may have removed bits from it.
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

    /// Renames the second name of the old keyring to `keyring.previous`. When the first keyring of a store is written,
    /// there is no old keyring to rename. If an earlier replacement was interrupted, the second name and
    /// `keyring.previous` may belong to the same file. rename(2) then does nothing, and the second name has to be
    /// removed.
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
