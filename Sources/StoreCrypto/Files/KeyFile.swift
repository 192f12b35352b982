import Glibc
import StoreBasics

/// A key file: 32 to 4,096 bytes that open a slot. Only its owner may read it.
package enum KeyFile {
    /// The size in bytes of the key files that `generate` creates.
    package static let generatedBytes = 32

    /// Creates a key file of 32 random bytes with mode 0600. It is durable on return. Never replaces an existing file.
    ///
    /// - Throws: `.keyFileExists`, `.diskFull`, `.storageFailed`, `.memoryUnavailable`. No file is left then.
    package static func generate(at path: String) throws(CryptoError) {
        let secret = try SecretBytes.random(count: generatedBytes)
        guard let file = OwnedDescriptor(opening: path, in: AT_FDCWD, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600) else {
            if errno == EEXIST {
                throw CryptoError(.keyFileExists, "cannot create key file \(path): it exists; choose another name")
            }
            throw .system("create key file \(path)", errno: errno)
        }
        do throws(CryptoError) {
            guard fchmod(file.number, 0o600) == 0 else {
                throw CryptoError.system("set the mode of key file \(path)", errno: errno)
            }
            try secret.withUnsafeBytes { (bytes) throws(CryptoError) in try file.write(bytes, "key file \(path)") }
            try file.synchronize("key file \(path)")
            let directory = try OwnedDescriptor.directory(parent(of: path))
            try directory.synchronize("the directory of key file \(path)")
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Reads a key file, or a systemd credential if `kind` is `.credential`, directly into guarded memory.
    ///
    /// A key file must be a regular file, not a link, that only its owner can read or write. A credential may be
    /// readable by its group: systemd grants access with an access control list, whose mask appears as the group bits
    /// of the mode (systemd.exec(5), CREDENTIALS).
    ///
    /// - Throws: `.keyFileInvalid`, `.storageFailed`, `.memoryUnavailable`.
    package static func read(at path: String, kind: SlotKind = .keyFile) throws(CryptoError) -> SlotSecret {
        precondition(!kind.isForPerson, "only the secret of a key file or a credential can be read from a file")
        guard let file = OwnedDescriptor(opening: path, in: AT_FDCWD, O_RDONLY | O_NONBLOCK) else {
            throw openFailure(path, errno)
        }
        guard let status = try file.regularFileStatus("key file \(path)") else {
            throw invalid(path, "the path is not a regular file")
        }
        let forbiddenMode: mode_t = kind == .credential ? 0o027 : 0o077
        guard status.st_mode & forbiddenMode == 0 else {
            throw invalid(path, "other users can read or change it; run: chmod 0600 \(path)")
        }
        return try SlotSecret(kind: kind, bytes: contents(of: file, path))
    }

    private static func contents(of file: borrowing OwnedDescriptor, _ path: String) throws(CryptoError) -> SecretBytes
    {
        let range = SlotSecret.keyFileBytesRange
        // Allocate one byte more than allowed, so that a longer file is noticed.
        var buffer = try SecretBytes(count: range.upperBound + 1)
        let count = try buffer.withUnsafeMutableBytes { (buffer) throws(CryptoError) in
            try file.read(into: buffer, "key file \(path)")
        }
        guard range.contains(count) else {
            let found = count > range.upperBound ? "more than 4,096 bytes" : "\(count) bytes"
            throw invalid(path, "the file has \(found); a key file must have 32 to 4,096 bytes")
        }
        return try buffer.withUnsafeBytes { (buffer) throws(CryptoError) in
            try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    private static func openFailure(_ path: String, _ number: Int32) -> CryptoError {
        switch number {
        case ENOENT, ENOTDIR: invalid(path, "the file is missing; put it back, or name another file")
        case ELOOP: invalid(path, "the path is a symbolic link; name the file itself")
        default: .system("open key file \(path)", errno: number)
        }
    }

    private static func invalid(_ path: String, _ cause: String) -> CryptoError {
        CryptoError(.keyFileInvalid, "cannot use key file \(path): \(cause)")
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
