import Glibc

/// The keyring in its directory: `keyring`, and `keyring.previous` as it was before the last write.
package enum KeyringFile {
    package static let name = "keyring"
    package static let previousName = "keyring.previous"
    static let temporaryName = "keyring.new"

    /// The keyring of a state directory; nil only when there is none.
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
        guard status.st_size <= KeyringFormat.fileBytesMax else { throw .damaged("it is larger than 64 KiB") }
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

    /// One byte more than a keyring may have, so that a file which grew is seen.
    private static func bytes(of file: borrowing OwnedDescriptor) throws(CryptoError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: KeyringFormat.fileBytesMax + 1)
        let count = try buffer.withUnsafeMutableBufferPointer { (buffer) throws(CryptoError) in
            try file.read(into: UnsafeMutableRawBufferPointer(buffer), "the \(name) file")
        }
        return Array(buffer.prefix(count))
    }
}
