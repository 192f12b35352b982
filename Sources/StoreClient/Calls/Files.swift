import FoundationEssentials
import StoreProtocol

/// The file vault: a tree of directories and files for each area. A file where a directory is asked for, and the other
/// way round, counts as not there.
extension StoreClient {
    /// Bytes of the largest piece of a file that one answer has.
    public static let filePieceBytesMax = FrameLimits.filePieceBytesMax

    /// Bytes of the pieces in which a large file is read and written quickest.
    public static let filePieceBytes = FrameLimits.filePieceBytes

    /// Makes a directory.
    ///
    /// - Parameters:
    ///   - path: the directory's.
    ///   - createsParents: whether those that it lies in are made too, where they are missing.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.parentDirectoryNotFound`, then `.alreadyExists`.
    @discardableResult
    public func createDirectory(
        at path: VaultPath, createsParents: Bool = false, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireCreateDirectoryRequest()
        call.path = WireFilePath(path)
        call.createsParents = createsParents
        return try await commit(.createDirectory(call), key: idempotencyKey)
    }

    /// Removes a directory. The root of an area is there again at once, and empty.
    ///
    /// - Parameters:
    ///   - path: the directory's.
    ///   - withChildren: also one that is not empty, with all it holds.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    /// - Throws: `.directoryNotFound`, `.directoryNotEmpty`.
    @discardableResult
    public func removeDirectory(
        at path: VaultPath, withChildren: Bool = false, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireRemoveDirectoryRequest()
        call.path = WireFilePath(path)
        call.withChildren = withChildren
        return try await commit(.removeDirectory(call), key: idempotencyKey)
    }

    /// What a directory holds, by the bytes of names. It ends by throwing `.directoryNotFound` where there is none.
    ///
    /// - Parameters:
    ///   - directory: its path.
    ///   - start: `nextCursor` of a page, to go on behind it; `nil` starts at the top.
    public func vaultItems(in directory: VaultPath, from start: String? = nil) -> PagedList<VaultItemPage> {
        PagedList(from: start) { (limit, cursor) throws(StoreClientError) in
            try await vaultItemPage(in: directory, limit: limit, cursor: cursor)
        }
    }

    /// A page of what a directory holds, by the bytes of names.
    ///
    /// - Parameters:
    ///   - directory: its path.
    ///   - limit: 1 to 1,000.
    ///   - cursor: `nextCursor` of the page before; `nil` starts at the top.
    /// - Throws: `.directoryNotFound`.
    public func vaultItemPage(
        in directory: VaultPath, limit: Int = 100, cursor: String? = nil
    ) async throws(StoreClientError) -> VaultItemPage {
        var call = WireListFilesRequest()
        call.directory = WireFilePath(directory)
        call.limit = UInt32(clamping: limit)
        call.cursor = cursor ?? ""
        let answered = try await answer(to: .listFiles(call), .read) { result in
            if case .files(let page) = result { page } else { nil }
        }
        return VaultItemPage(answered)
    }

    /// What is at a path, a file or a directory.
    ///
    /// - Throws: `.fileNotFound`.
    public func vaultItem(at path: VaultPath) async throws(StoreClientError) -> VaultItem {
        var call = WireGetFileRequest()
        call.path = WireFilePath(path)
        let answered = try await answer(to: .getFile(call), .read) { result in
            if case .file(let file) = result { file } else { nil }
        }
        return VaultItem(answered)
    }

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

    /// Renames or moves a file, or a directory with what it holds, also to another area. A file in the place is
    /// replaced; onto itself nothing happens.
    ///
    /// - Throws: `.fileNotFound` for the origin, `.parentDirectoryNotFound` of the place, `.alreadyExists` where a
    ///   directory has it.
    @discardableResult
    public func moveFile(
        from origin: VaultPath, to place: VaultPath, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireMoveFileRequest()
        call.origin = WireFilePath(origin)
        call.place = WireFilePath(place)
        return try await commit(.moveFile(call), key: idempotencyKey)
    }

    /// Copies a file, or a directory with what it holds. No byte is copied: both share the content until one is
    /// written. A copy that was cut off, of a directory with more than 256 entries, is gone on with by its repetition.
    ///
    /// - Throws: as `moveFile`; `.fileChanged` where the directory was removed, or its copy moved, before it was
    ///   complete.
    @discardableResult
    public func copyFile(
        from origin: VaultPath, to place: VaultPath, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireCopyFileRequest()
        call.origin = WireFilePath(origin)
        call.place = WireFilePath(place)
        return try await commit(.copyFile(call), key: idempotencyKey)
    }

    /// Deletes a file.
    ///
    /// - Throws: `.fileNotFound`, also for a directory.
    @discardableResult
    public func deleteFile(
        at path: VaultPath, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireDeleteFileRequest()
        call.path = WireFilePath(path)
        return try await commit(.deleteFile(call), key: idempotencyKey)
    }

    /// How much every area holds, from counts that the store keeps.
    public func vaultUsage() async throws(StoreClientError) -> [VaultAreaUsage] {
        let usage = try await answer(to: .getFileUsage(.init()), .read) { result in
            if case .fileUsage(let usage) = result { usage } else { nil }
        }
        return usage.areas.compactMap(VaultAreaUsage.init)
    }
}
