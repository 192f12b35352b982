import Glibc
import StoreBasics
import StoreCrypto

/// The open folder of the vault's files: `vault/<2 digits>/<32 digits>`. All names below it are made from content ids
/// and are looked up relative to the descriptor of this folder, without following links.
final class VaultFolder: Sendable {
    static let name = "vault"
    /// The number of bytes that one step overwrites in a file that is being erased.
    static let erasureStepBytes = 4 << 20

    /// Returns true if the vault has a folder. The folder may be empty, because `init` creates it, for example for an
    /// integrity check.
    static func exists(in directory: StateDirectory) -> Bool {
        directory.exists(directory.path + "/" + name)
    }

    /// A file that exists while commits are known to be missing. Vault files without a row may belong to them.
    private static let unresolvedLossName = "unsettled"

    private static func unresolvedLossPath(in directory: StateDirectory) -> String {
        "\(directory.path)/\(name)/\(unresolvedLossName)"
    }

    /// Returns true if a loss was found and not resolved yet. A restore, clearing the store, or removing the file
    /// resolves it.
    static func hasUnresolvedLoss(in directory: StateDirectory) -> Bool {
        directory.exists(unresolvedLossPath(in: directory))
    }

    /// Records a loss durably. Until it is resolved, vault files that no row refers to are kept.
    static func recordLoss(in directory: StateDirectory) throws(StoreError) {
        guard exists(in: directory) else { return }
        if !hasUnresolvedLoss(in: directory) {
            let number = Glibc.open(
                unresolvedLossPath(in: directory), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard number >= 0 else {
                throw SystemFailure.error(
                    "vault/unsettled, the file that protects vault files after a loss, cannot be created", errno)
            }
            close(number)
        }
        try directory.folder(name).sync()
    }

    /// Records that the loss is resolved and vault files without a row may be erased.
    static func resolveLoss(in directory: StateDirectory) {
        unlink(unresolvedLossPath(in: directory))
    }

    private let descriptor: Int32

    /// Opens the folder; creates it if it is missing.
    ///
    /// - Throws: `.storageFailed`, `.diskFull`.
    init(in directory: StateDirectory) throws(StoreError) {
        let path = try directory.folder(Self.name).path
        let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw SystemFailure.error("the folder of the vault cannot be opened", errno) }
        descriptor = number
    }

    deinit {
        close(descriptor)
    }

    /// Creates the file of a new content. It is durable once the file and then its folder are synced.
    ///
    /// - Throws: `.storageFailed`, also if the id already has a file; `.diskFull`.
    func create(_ header: ContentHeader, under key: borrowing ContentKey) throws(StoreError) -> ContentFile {
        try makeFolder(of: header.id)
        let number = try openFile(header.id, O_RDWR | O_CREAT | O_EXCL)
        guard number >= 0 else { throw SystemFailure.error("a file of the vault cannot be created", errno) }
        do throws(StoreError) {
            return try ContentFile.begin(header, under: key, descriptor: number)
        } catch {
            // No write owns the file yet, so nothing else would remove it.
            try? remove(header.id)
            throw error
        }
    }

    /// Opens the file of a content that the database knows.
    ///
    /// - Throws: `.fileDamaged` if it is missing, is not a regular file, or has another content's header.
    func open(
        _ header: ContentHeader, under key: borrowing ContentKey
    ) throws(StoreError) -> ContentFile {
        let number = try openFile(header.id, O_RDWR)
        guard number >= 0 else {
            guard [ENOENT, ELOOP, EISDIR].contains(errno) else {
                throw SystemFailure.error("a file of the vault cannot be opened", errno)
            }
            throw .contentMissing
        }
        return try ContentFile.openVerified(header, under: key, descriptor: number)
    }

    /// Returns a descriptor of a content's existing file, or of a new file to write.
    ///
    /// - Returns: `nil` if there is no file to read.
    func descriptor(of id: ContentID, writing: Bool) throws(StoreError) -> Int32? {
        if writing {
            try makeFolder(of: id)
        }
        let number = try openFile(id, writing ? O_WRONLY | O_CREAT | O_EXCL : O_RDONLY)
        guard number < 0 else { return number }
        guard !writing, [ENOENT, ELOOP].contains(errno) else {
            throw SystemFailure.error("a file of the vault cannot be opened", errno)
        }
        return nil
    }

    private func makeFolder(of id: ContentID) throws(StoreError) {
        if mkdirat(descriptor, Self.folder(of: id), 0o700) == 0 {
            try Self.sync(descriptor)
        } else if errno != EEXIST {
            throw SystemFailure.error("a folder of the vault cannot be created", errno)
        }
    }

    /// Makes the names of the vault's folders durable. Call it before the first file is created in them, because the
    /// process that created the folders may have been killed before a sync.
    func syncNames() throws(StoreError) {
        try Self.sync(descriptor)
    }

    /// Makes the creation and removal of files in a content's folder durable.
    func syncFolder(of id: ContentID) throws(StoreError) {
        let number = try openFolder(Self.folder(of: id))
        guard number >= 0 else { throw SystemFailure.error("a folder of the vault cannot be opened", errno) }
        defer { close(number) }
        try Self.sync(number)
    }

    /// Overwrites and truncates the end of a content's file, and removes the file once it is empty. The size of the
    /// file records the progress, so that it survives a crash.
    ///
    /// - Returns: `false` if nothing is left to do.
    func eraseSome(of id: ContentID) throws(StoreError) -> Bool {
        let number = try openFile(id, O_WRONLY)
        guard number >= 0 else {
            guard errno != ENOENT else { return false }
            throw SystemFailure.error("a file of the vault cannot be opened", errno)
        }
        defer { close(number) }
        var status = stat()
        guard fstat(number, &status) == 0 else {
            throw SystemFailure.error("a file of the vault cannot be examined", errno)
        }
        let start = max(0, Int(status.st_size) - Self.erasureStepBytes)
        try Self.overwrite(number, start..<Int(status.st_size))
        guard ftruncate(number, start) == 0 else {
            throw SystemFailure.error("a file of the vault cannot be truncated", errno)
        }
        guard start == 0 else { return true }
        try remove(id)
        return false
    }

    /// Returns the ids that begin with this byte and have a file, in no particular order.
    func ids(withFirst byte: UInt8) throws(StoreError) -> [ContentID] {
        let number = try openFolder(Hexadecimal.encode([byte]))
        guard number >= 0 else {
            guard errno != ENOENT else { return [] }
            throw SystemFailure.error("a folder of the vault cannot be opened", errno)
        }
        guard let listing = fdopendir(number) else {
            close(number)
            throw SystemFailure.error("a folder of the vault cannot be listed", errno)
        }
        defer { closedir(listing) }
        var ids: [ContentID] = []
        errno = 0
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let id = name.flatMap({ ContentID(hexadecimal: $0) }), id.bytes.first == byte {
                ids.append(id)
            }
            errno = 0
        }
        guard errno == 0 else { throw SystemFailure.error("a folder of the vault cannot be listed", errno) }
        return ids
    }

    /// Removes a content's file without overwriting it. Call it only for an empty file, or for a file whose key was
    /// never stored, so that its bytes cannot be decrypted.
    func remove(_ id: ContentID) throws(StoreError) {
        let folder = try openFolder(Self.folder(of: id))
        guard folder >= 0 else { throw SystemFailure.error("a folder of the vault cannot be opened", errno) }
        defer { close(folder) }
        guard unlinkat(folder, id.hexadecimal, 0) == 0 || errno == ENOENT else {
            throw SystemFailure.error("a file of the vault cannot be removed", errno)
        }
    }

    /// Opens a file in two steps, so that neither the folder's nor the file's name can be a link.
    ///
    /// - Returns: a negative number with `errno` set if the file cannot be opened.
    private func openFile(_ id: ContentID, _ flags: Int32) throws(StoreError) -> Int32 {
        let folder = try openFolder(Self.folder(of: id))
        guard folder >= 0 else { return folder }
        defer {
            let number = errno
            close(folder)
            errno = number
        }
        return openat(folder, id.hexadecimal, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0o600)
    }

    private func openFolder(_ name: String) throws(StoreError) -> Int32 {
        openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }

    private static func folder(of id: ContentID) -> String {
        String(id.hexadecimal.prefix(2))
    }

    private static func sync(_ descriptor: Int32) throws(StoreError) {
        guard fsync(descriptor) == 0 else {
            throw SystemFailure.error("a folder of the vault cannot be synced to disk", errno)
        }
    }

    private static func overwrite(_ descriptor: Int32, _ range: Range<Int>) throws(StoreError) {
        let zeros = [UInt8](repeating: 0, count: min(range.count, 64 << 10))
        var position = range.lowerBound
        do throws(SystemError) {
            while position < range.upperBound {
                let count = min(zeros.count, range.upperBound - position)
                try zeros.withUnsafeBufferPointer { zeros throws(SystemError) in
                    try FileDescriptorCalls.write(
                        descriptor, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: zeros[..<count])), at: position
                    )
                }
                position += count
            }
            // Overwrite the end before truncating: the disk blocks cannot be overwritten afterwards.
            try withoutInterruption { fdatasync(descriptor) }
        } catch {
            throw SystemFailure.error("a file of the vault cannot be overwritten", error.number)
        }
    }
}
