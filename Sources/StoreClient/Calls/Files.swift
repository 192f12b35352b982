import FoundationEssentials
import StoreProtocol

/// The file vault: a tree of directories and files for each area. A file where a directory is asked for, and the other
/// way round, counts as not there.
extension StoreClient {
    /// Writes a file whole: a new one, or in the place of the content of the one that is there. Nobody sees a part of
    /// it. Saving the bytes that are there changes nothing.
    ///
    /// - Parameters:
    ///   - bytes: the content; more than 64 KiB are sent in pieces.
    ///   - path: the file's.
    ///   - createsParents: whether directories that it lies in are made, where they are missing.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// Any number of tasks may save at once. Of large files four are written at a time; the others wait.
    ///
    /// - Throws: `.parentDirectoryNotFound`, `.alreadyExists` where a directory has the path; of pieces also
    ///   `.fileWriteNotFound` where it was too long until the next one.
    @discardableResult
    public func saveFile(
        _ bytes: [UInt8], at path: VaultPath, createsParents: Bool = false,
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        guard bytes.count <= Self.wholeFileBytesMax else {
            return try await writeFile(at: path, .whole, createsParents: createsParents, key: idempotencyKey) { _ in
                bytes
            }
        }
        var call = WireSaveFileRequest()
        call.path = WireFilePath(path)
        call.data = Data(bytes)
        call.createsParents = createsParents
        return try await commit(.saveFile(call), key: idempotencyKey)
    }

    /// Appends bytes to a file, or makes a file of them if there is none. Any number of tasks may append to one file at
    /// once: large appends take turns.
    ///
    /// - Parameters:
    ///   - bytes: what is added. None changes nothing in a file that is there.
    ///   - path: the file's.
    ///   - createsParents: whether directories that it lies in are made, where they are missing.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: as `saveFile`; `.deadlineExceeded` where others wrote the file again and again until then.
    @discardableResult
    public func appendFile(
        _ bytes: [UInt8], at path: VaultPath, createsParents: Bool = false,
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        if bytes.count <= Self.wholeFileBytesMax {
            var call = WireAppendFileRequest()
            call.path = WireFilePath(path)
            call.data = Data(bytes)
            call.createsParents = createsParents
            do throws(StoreClientError) {
                return try await appending(to: path, alone: false) { () throws(StoreClientError) in
                    try await commit(.appendFile(call), key: idempotencyKey)
                }
            } catch {
                // The file would be too large for one call. `appendLarge` finds other causes again.
                guard error.reason == .invalidArgument else { throw error }
            }
        }
        return try await appendLarge(at: path, createsParents: createsParents, key: idempotencyKey) { _ in bytes }
    }

    /// Appends bytes that depend on how a file begins, in one step: no other write comes between.
    ///
    /// - Parameters:
    ///   - startBytes: The number of bytes of the file's beginning, at least 1.
    ///   - bytes: Returns the bytes to append to a file with this beginning; `nil` if there is no file.
    package func appendFile(
        at path: VaultPath, createsParents: Bool, startBytes: Int, _ bytes: ([UInt8]?) -> [UInt8]
    ) async throws(StoreClientError) -> Commit {
        try await appendLarge(
            at: path, createsParents: createsParents, key: IdempotencyKey(), startBytes: startBytes, bytes)
    }
}
