import FoundationEssentials
import StoreProtocol

/// Calls for the file vault: a tree of directories and files for each area. If a call needs a directory and the path is
/// a file, or the reverse, the path counts as not existing.
extension StoreClient {
    /// Writes a whole file: creates it, or replaces its content in one step, so that readers never see a part of the
    /// new content. Saving the existing content changes nothing.
    ///
    /// Any number of tasks may save at once. Four large files are written at a time; the others wait.
    ///
    /// - Parameters:
    ///   - bytes: The content. More than 64 KiB are sent in pieces.
    ///   - path: The path of the file.
    ///   - createsParents: True to create the missing directories of the path.
    ///   - idempotencyKey: Identifies the mutation, so that a repetition has no further effect.
    /// - Throws: `.parentDirectoryNotFound`; `.alreadyExists` if the path is a directory; for a write in pieces also
    ///   `.fileWriteNotFound` if there was too much time between two pieces.
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

    /// Appends bytes to a file, or creates a file with them. Any number of tasks may append to one file at once; large
    /// appends take turns.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to append. Appending none to an existing file changes nothing.
    ///   - path: The path of the file.
    ///   - createsParents: True to create the missing directories of the path.
    ///   - idempotencyKey: Identifies the mutation, so that a repetition has no further effect.
    /// - Throws: The errors of `saveFile`; `.deadlineExceeded` if other clients kept changing the file until the
    ///   deadline.
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
                // The file may be too large for one call. If the cause is another one, `appendLarge` gets the error
                // again.
                guard error.reason == .invalidArgument else { throw error }
            }
        }
        return try await appendLarge(at: path, createsParents: createsParents, key: idempotencyKey) { _ in bytes }
    }

    /// Reads the first `startBytes` bytes of a file, and appends the bytes that `bytes` returns for them. No other
    /// write can happen between the read and the append.
    ///
    /// - Parameters:
    ///   - startBytes: The number of bytes of the file's beginning, at least 1.
    ///   - bytes: Returns the bytes to append to a file with this beginning; its parameter is `nil` if there is no
    ///     file.
    package func appendFile(
        at path: VaultPath, createsParents: Bool, startBytes: Int, _ bytes: ([UInt8]?) -> [UInt8]
    ) async throws(StoreClientError) -> Commit {
        try await appendLarge(
            at: path, createsParents: createsParents, key: IdempotencyKey(), startBytes: startBytes, bytes)
    }
}
