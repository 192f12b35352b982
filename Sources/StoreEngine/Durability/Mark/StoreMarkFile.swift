import Glibc
import StoreBasics
import StoreCrypto

/// The file `mark` of an open store. Only the thread that holds the writer lock may use it.
///
/// The file is overwritten in place after each complete checkpoint. The store does not depend on it: if a write fails,
/// the next checkpoint writes the mark.
final class StoreMarkFile {
    private static let temporaryName = "mark.new"

    private let directory: StateDirectory
    private let key: AuthenticationKey
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: StoreMark.byteCount, alignment: 8)
    /// The open file; `nil` if there is no mark of this store that can be overwritten in place.
    private var descriptor: Int32?
    /// The mark in the file; `nil` if unknown.
    private var written: StoreMark?

    /// - Parameter found: the mark of this store that exists in the folder.
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

    /// Writes the mark. The database file must already contain everything up to `revision` durably.
    func writeMark(revision: UInt64) {
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
            // A failed sync of the folder also ends up here. It is ignored: it can lose only the rename of the mark,
            // since other code syncs the folder after its own renames, and the next checkpoint writes the mark again.
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

    /// Returns the unauthenticated mark of a store that is not open and whose key is unknown.
    static func readUnverified(_ path: String) -> StoreMark? {
        bytes(of: path).flatMap { StoreMark(claimedBy: $0) }
    }

    /// Returns the content of the file, or `nil` if it cannot be opened.
    private static func bytes(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Read one byte more than a mark has, so that a longer file is noticed.
        var file = [UInt8](repeating: 0, count: StoreMark.byteCount + 1)
        let count = (try? file.withUnsafeMutableBytes { try FileDescriptorCalls.read(descriptor, into: $0) }) ?? 0
        file.removeLast(file.count - count)
        return file
    }

    /// Removes the temporary file that a crash during `create` has left.
    static func removeLeftovers(in folder: StateDirectory) throws(StoreError) {
        try folder.remove(folder.path + "/" + temporaryName)
    }

    /// Writes a mark into a folder and makes it durable before returning.
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

    /// Writes the bytes to a new temporary file and syncs it.
    ///
    /// - Returns: an open descriptor of the file.
    private static func makeTemporary(
        _ bytes: UnsafeRawBufferPointer, in folder: StateDirectory
    ) throws(StoreError) -> Int32 {
        let temporary = folder.path + "/" + temporaryName
        try folder.remove(temporary)
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure.error("the store's file \"mark\" cannot be created", errno) }
        do throws(SystemError) {
            try FileDescriptorCalls.write(descriptor, bytes)
            try withoutInterruption { fsync(descriptor) }
        } catch {
            close(descriptor)
            unlink(temporary)
            throw SystemFailure.error("the store's file \"mark\" cannot be created", error.number)
        }
        return descriptor
    }

    /// Renames the temporary file to its final name and syncs the folder.
    ///
    /// - Parameter descriptor: the result of `makeTemporary`; closed if this function throws.
    private static func putInPlace(_ descriptor: Int32, in folder: StateDirectory) throws(StoreError) {
        do throws(StoreError) {
            try folder.rename(folder.path + "/" + temporaryName, to: folder.mark)
        } catch {
            close(descriptor)
            throw error
        }
    }
}
