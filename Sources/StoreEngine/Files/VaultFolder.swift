import Glibc
import StoreBasics
import StoreCrypto

/// The folder of the files that hold contents, held open: `vault/<2 digits>/<32 digits>`. The names below it are made
/// of the ids of contents alone, looked up from its descriptor, and no link is followed.
final class VaultFolder: Sendable {
    static let name = "vault"
    /// Bytes of a file that goes which one step overwrites.
    static let erasureStepBytes = 4 << 20

    /// Whether it was ever used.
    static func exists(in directory: StateDirectory) -> Bool {
        directory.exists(directory.path + "/" + name)
    }

    /// A file of the folder that says: an opening found commits to be missing, and what no row names may be theirs.
    private static let unsettledName = "unsettled"

    private static func unsettledPath(in directory: StateDirectory) -> String {
        "\(directory.path)/\(name)/\(unsettledName)"
    }

    /// Whether a loss was met that nobody has settled since: by a restore, by clearing the store, or by removing the
    /// file that says so.
    static func isUnsettled(in directory: StateDirectory) -> Bool {
        directory.exists(unsettledPath(in: directory))
    }

    /// Until it is settled, nothing that no row names is taken for rubbish. Durable when this returns.
    static func noteLoss(in directory: StateDirectory) throws(StoreError) {
        guard exists(in: directory) else { return }
        if !isUnsettled(in: directory) {
            let number = Glibc.open(
                unsettledPath(in: directory), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard number >= 0 else {
                throw SystemFailure.error("the file that protects vault files after a loss cannot be created", errno)
            }
            close(number)
        }
        try directory.folder(name).sync()
    }

    /// Whatever was missing is of no use any more.
    static func settle(in directory: StateDirectory) {
        unlink(unsettledPath(in: directory))
    }

    private let descriptor: Int32

    /// Makes the folder if need be.
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

    /// Makes the file of a new content, which is not durable before it and then its folder are synced.
    ///
    /// - Throws: `.storageFailed`, also where the id has a file; `.diskFull`.
    func create(_ header: ContentHeader, under key: borrowing ContentKey) throws(StoreError) -> ContentFile {
        try makeFolder(of: header.id)
        let number = try openFile(header.id, O_RDWR | O_CREAT | O_EXCL)
        guard number >= 0 else { throw SystemFailure.error("a file of the vault cannot be created", errno) }
        do throws(StoreError) {
            return try ContentFile.begin(header, under: key, descriptor: number)
        } catch {
            // No write has the file, which would look after it.
            try? remove(header.id)
            throw error
        }
    }

    /// Opens the file of a content that the database knows.
    ///
    /// - Throws: `.fileDamaged` where it is missing, no file, or begins as that of another content does.
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
        return try ContentFile.take(header, under: key, descriptor: number)
    }

    /// A descriptor of a content's file as it is, or of a new one to be written.
    ///
    /// - Returns: `nil` where there is no file to be read.
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

    /// Makes durable that its folders are there: whoever made them may have been killed before that. For who makes
    /// files in them, before the first.
    func syncNames() throws(StoreError) {
        try Self.sync(descriptor)
    }

    /// Makes durable that files of a content's folder are there, or gone.
    func syncFolder(of id: ContentID) throws(StoreError) {
        let number = try openFolder(Self.folder(of: id))
        guard number >= 0 else { throw SystemFailure.error("a folder of the vault cannot be opened", errno) }
        defer { close(number) }
        try Self.sync(number)
    }

    /// Overwrites the end of a content's file and cuts it off, and removes the file once nothing is left: how far it
    /// has come is the file's size, also after a crash.
    ///
    /// - Returns: false when nothing is left to do.
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

    /// The ids that the folder with these first two digits has files of, in no order.
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

    /// Removes a content's file without overwriting it: one whose key was never kept is noise.
    func remove(_ id: ContentID) throws(StoreError) {
        let folder = try openFolder(Self.folder(of: id))
        guard folder >= 0 else { throw SystemFailure.error("a folder of the vault cannot be opened", errno) }
        defer { close(folder) }
        guard unlinkat(folder, id.hexadecimal, 0) == 0 || errno == ENOENT else {
            throw SystemFailure.error("a file of the vault cannot be removed", errno)
        }
    }

    /// In two steps, so that neither name can be a link.
    ///
    /// - Returns: less than 0 with `errno` set when there is none.
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
            // What is cut off before it was written would never be.
            try withoutInterruption { fdatasync(descriptor) }
        } catch {
            throw SystemFailure.error("a file of the vault cannot be overwritten", error.number)
        }
    }
}
