import Glibc
import StoreBasics
import StoreCrypto

/// The file `mark` of an open store. Used with the writer's seat.
///
/// It is written in place whenever the WAL has been brought to the database file. Nothing the store does depends on it:
/// one that cannot be written is written later.
final class StoreMarkFile {
    private static let temporaryName = "mark.new"

    private let directory: StateDirectory
    private let key: AuthenticationKey
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: StoreMark.byteCount, alignment: 8)
    /// `nil` while there is no mark of this store that can be written in place.
    private var descriptor: Int32?
    /// What the file says; `nil` where that is not known.
    private var written: StoreMark?

    /// - Parameter found: the mark of this store that is in the folder.
    init(in directory: StateDirectory, under key: consuming AuthenticationKey, found: StoreMark?) {
        self.directory = directory
        self.key = key
        written = found
        if found != nil {
            let opened = open(directory.mark, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            descriptor = opened < 0 ? nil : opened
        }
    }

    deinit {
        if let descriptor {
            close(descriptor)
        }
        bytes.deallocate()
    }

    /// The database file holds everything up to a revision, durably.
    func note(revision: UInt64) {
        let mark = StoreMark(revision: revision)
        guard written != mark else { return }
        mark.write(to: bytes, under: key)
        do {
            if let descriptor {
                try FileDescriptorCalls.write(descriptor, UnsafeRawBufferPointer(bytes), at: 0)
            } else {
                let made = try Self.makeTemporary(UnsafeRawBufferPointer(bytes), in: directory)
                try Self.putInPlace(made, in: directory)
                descriptor = made
            }
            written = mark
        } catch {
            // Also where a folder could not be synced: what else was renamed in it was synced by itself.
            written = nil
        }
    }
}

extension StoreMarkFile {
    enum Found {
        case mark(StoreMark)
        case none
        case foreign

        var mark: StoreMark? {
            if case .mark(let mark) = self { mark } else { nil }
        }
    }

    static func find(_ path: String, under key: borrowing AuthenticationKey) -> Found {
        guard let file = bytes(of: path) else { return errno == ENOENT ? .none : .foreign }
        return StoreMark(file, under: key).map { .mark($0) } ?? .foreign
    }

    /// What the mark of a store says that is not in use, of which nobody knows the key.
    static func claim(_ path: String) -> StoreMark? {
        bytes(of: path).flatMap { StoreMark(claimedBy: $0) }
    }

    /// - Returns: `nil` and the error number where it cannot be opened.
    private static func bytes(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // One byte more, so that a file which grew is seen.
        var file = [UInt8](repeating: 0, count: StoreMark.byteCount + 1)
        let count = (try? file.withUnsafeMutableBytes { try FileDescriptorCalls.read(descriptor, into: $0) }) ?? 0
        file.removeLast(file.count - count)
        return file
    }

    /// What a crash has left of `create`.
    static func removeLeftovers(in folder: StateDirectory) throws(StoreError) {
        try folder.remove(folder.path + "/" + temporaryName)
    }

    /// Puts a mark into a folder, durably and at once.
    static func create(
        _ mark: StoreMark, in folder: StateDirectory, under key: borrowing AuthenticationKey
    ) throws(StoreError) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: StoreMark.byteCount, alignment: 8)
        defer { bytes.deallocate() }
        mark.write(to: bytes, under: key)
        let descriptor = try makeTemporary(UnsafeRawBufferPointer(bytes), in: folder)
        try putInPlace(descriptor, in: folder)
        close(descriptor)
    }

    /// - Returns: a descriptor of the file, whose content is durable.
    private static func makeTemporary(
        _ bytes: UnsafeRawBufferPointer, in folder: StateDirectory
    ) throws(StoreError) -> Int32 {
        let temporary = folder.path + "/" + temporaryName
        try folder.remove(temporary)
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure.error("the store's mark cannot be created", errno) }
        do throws(SystemError) {
            try FileDescriptorCalls.write(descriptor, bytes)
            try withoutInterruption { fsync(descriptor) }
        } catch {
            close(descriptor)
            unlink(temporary)
            throw SystemFailure.error("the store's mark cannot be created", error.number)
        }
        return descriptor
    }

    /// - Parameter descriptor: of `makeTemporary`; closed where this fails.
    private static func putInPlace(_ descriptor: Int32, in folder: StateDirectory) throws(StoreError) {
        do throws(StoreError) {
            try folder.rename(folder.path + "/" + temporaryName, to: folder.mark)
        } catch {
            close(descriptor)
            throw error
        }
    }
}
