import Glibc

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
        case .removeLeftovers:
            try remove(KeyringFile.temporaryName)
            try remove(Self.previousTemporaryName)
        case .writeTemporary: try writeTemporary()
        case .linkPrevious: try linkPrevious()
        case .replacePrevious: try replacePrevious()
        case .replaceKeyring: try rename(KeyringFile.temporaryName, to: KeyringFile.name)
        case .synchronizeDirectory:
            guard fsync(directory) == 0 else {
                let failure = CryptoError.system("make the keyring's directory durable", errno: errno)
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
        else {
            throw .system("keep the previous keyring", errno: errno)
        }
    }

    /// The first keyring has no previous one. rename(2) of two names for one file does nothing, and this is the
    /// case after a crash between two steps, so the second name is removed too.
    private func replacePrevious() throws(CryptoError) {
        guard
            renameat(directory, Self.previousTemporaryName, directory, KeyringFile.previousName) == 0
                || errno == ENOENT
        else { throw .system("keep the previous keyring", errno: errno) }
        try remove(Self.previousTemporaryName)
    }

    private func rename(_ name: String, to newName: String) throws(CryptoError) {
        guard renameat(directory, name, directory, newName) == 0 else {
            throw .system("rename \(name) to \(newName)", errno: errno)
        }
    }

    private func remove(_ name: String) throws(CryptoError) {
        guard unlinkat(directory, name, 0) == 0 || errno == ENOENT else {
            throw .system("remove \(name)", errno: errno)
        }
    }
}
