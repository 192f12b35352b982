import Glibc
import StoreBasics
import StoreClient

/// Copies a file of the vault into `OUTPUT.part`, so that an interrupted copy can be resumed. A note, the file
/// `OUTPUT.part-of`, identifies the file of the vault and says how many bytes are durable, so that bytes of different
/// files, or of different versions of a file, are never combined.
struct ResumableGet {
    /// The number of bytes between two updates of the note.
    private static let stepBytes: UInt64 = 16 << 20

    private let client: StoreClient
    private let bar: ProgressBar
    private let path: VaultPath
    private let output: String
    private let replacesExisting: Bool

    private let partPath: String
    private let notePath: String

    init(_ session: Session, _ path: VaultPath, to output: String, replacesExisting: Bool) {
        client = session.client
        bar = session.global.progressBar("getting", .bytes)
        (self.path, self.output, self.replacesExisting) = (path, output, replacesExisting)
        partPath = FilePlacement.path(output, with: ".part")
        notePath = FilePlacement.path(output, with: ".part-of")
    }

    /// - Returns: The size of the file, and the number of bytes that an earlier run had already copied.
    func get() async throws -> (bytes: UInt64, there: UInt64) {
        defer { bar.finish() }
        removeSecondName()
        try expectPlace()
        let history = try await client.hello().historyID
        let client = client.with(history: history)
        let item = try await client.vaultItem(at: path)
        guard item.kind == .file else {
            throw CommandFailure(.noInput, "\(path) is a directory; hint: use --recursive instead of --resume")
        }
        let identity = "\(history.map { "\($0)" } ?? "-") \(item.revision) \(item.contentBytes) \(path)"
        let part = try openPart()
        let there = try bytesThere(part, identity, item.contentBytes)
        var done = there
        var noted = there
        let writer = DescriptorWriter(descriptor: part.number)
        if done < item.contentBytes {
            for try await chunk in client.fileChunks(at: path, from: done, expecting: item.revision) {
                try writer.write(chunk)
                done += UInt64(chunk.count)
                bar.update(done: done, total: item.contentBytes)
                if done - noted >= Self.stepBytes {
                    try writer.flush()
                    try updateNote(identity, done, part)
                    noted = done
                }
            }
        }
        try writer.flush()
        try place(part)
        return (done, there)
    }

    /// Removes the temporary name of a complete file. Both names remain if an earlier run was killed just before it
    /// finished, on a file system that needs two steps for a rename.
    private func removeSecondName() {
        var (part, file) = (stat(), stat())
        guard access(notePath, F_OK) == 0, lstat(partPath, &part) == 0, lstat(output, &file) == 0,
            part.st_ino == file.st_ino, part.st_dev == file.st_dev
        else { return }
        unlink(partPath)
        unlink(notePath)
    }

    private func expectPlace() throws(CommandFailure) {
        guard output != "-" else {
            throw CommandFailure(.usage, "standard output cannot be resumed; hint: name a file")
        }
        guard replacesExisting || access(output, F_OK) != 0 else { throw isThereAlready }
    }

    private var isThereAlready: CommandFailure {
        CommandFailure(.cannotCreate, "\(output) exists already; hint: give another name")
    }

    /// Opens or creates `OUTPUT.part`. Fails if this file exists without a note, because it then belongs to another
    /// program.
    private func openPart() throws(CommandFailure) -> OwnedDescriptor {
        let isNoted = access(notePath, F_OK) == 0
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (isNoted ? 0 : O_EXCL)
        if !isNoted {
            try writeNote("")
        }
        let number = open(partPath, flags, 0o600)
        guard number >= 0 else {
            let error = SystemError.last
            if !isNoted {
                unlink(notePath)
            }
            throw CommandFailure(
                .cannotCreate,
                """
                cannot create \(partPath): \(error); hint: the file may belong to another user; move it away
                """)
        }
        let part = OwnedDescriptor(owning: number)
        // The lock keeps a second process that copies into the same file from writing here at the same time.
        guard flock(part.number, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandFailure(.cannotCreate, "\(partPath) is being written by another process")
        }
        return part
    }

    /// Returns the number of durable bytes according to the note; 0 if the note describes another file or another
    /// version. Removes all later bytes from `OUTPUT.part`.
    private func bytesThere(
        _ part: borrowing OwnedDescriptor, _ identity: String, _ total: UInt64
    ) throws(CommandFailure) -> UInt64 {
        var facts = stat()
        let isKnown = fstat(part.number, &facts) == 0
        // The program does not write to a file that belongs to another user, that other users can read or write, or
        // that also has a second name (a hard link).
        let isOwn = facts.st_uid == geteuid() && facts.st_nlink == 1 && facts.st_mode & (S_IFMT | 0o077) == S_IFREG
        guard isKnown, isOwn else {
            throw CommandFailure(.cannotCreate, "\(partPath) is not a file that only you can use; hint: move it away")
        }
        var there: UInt64 = 0
        let noted = try String(decoding: InputFile(notePath).readAll(bytesMax: 16 << 10), as: UTF8.self)
        if let space = noted.firstIndex(of: " "), noted[noted.index(after: space)...] == identity + "\n",
            let bytes = UInt64(noted[..<space]), bytes <= total, bytes <= UInt64(clamping: facts.st_size)
        {
            there = bytes
        } else if !noted.isEmpty {
            Diagnostics.write(
                "\(partPath) contains a part of another file or another version of \(path): the transfer starts again")
        }
        guard ftruncate(part.number, off_t(there)) == 0, lseek(part.number, off_t(there), SEEK_SET) >= 0 else {
            throw CommandFailure(.inputOutput, "cannot truncate \(partPath): \(SystemError.last)")
        }
        return there
    }

    /// Makes the bytes of `OUTPUT.part` durable, and then updates the note.
    private func updateNote(
        _ identity: String, _ bytes: UInt64, _ part: borrowing OwnedDescriptor
    ) throws(CommandFailure) {
        guard fdatasync(part.number) == 0 else {
            throw CommandFailure(.inputOutput, "cannot sync \(partPath) to disk: \(SystemError.last)")
        }
        try writeNote("\(bytes) \(identity)\n")
    }

    /// Writes the note atomically.
    private func writeNote(_ text: String) throws(CommandFailure) {
        let file = try OutputFile(notePath, replacesExisting: true)
        let writer = DescriptorWriter(descriptor: file.descriptor)
        try writer.write(text)
        try writer.flush()
        try file.commit()
    }

    private func place(_ part: borrowing OwnedDescriptor) throws(CommandFailure) {
        guard fsync(part.number) == 0 else {
            throw CommandFailure(.inputOutput, "cannot sync \(partPath) to disk: \(SystemError.last)")
        }
        do throws(SystemError) {
            if replacesExisting {
                guard rename(partPath, output) == 0 else { throw .last }
            } else {
                try FilePlacement.rename(partPath, toFree: output)
            }
        } catch {
            guard error.number != EEXIST || replacesExisting else { throw isThereAlready }
            throw CommandFailure(.inputOutput, "cannot write \(output): \(error)" + FilePlacement.hint(error))
        }
        unlink(notePath)
        try FilePlacement.syncFolder(of: output)
    }
}
