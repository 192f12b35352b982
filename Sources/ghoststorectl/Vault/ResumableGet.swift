import Glibc
import StoreBasics
import StoreClient

/// Gets a file of the vault into `OUTPUT.part`, so that a get that was broken off is gone on with. A note beside it
/// says which file it is of, and how many bytes are durable: nothing of another file, or of another state of it, is
/// ever put together.
struct ResumableGet {
    /// Bytes between two notes.
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

    /// - Returns: bytes of the file, and of these how many were there already.
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
                    try note(identity, done, part)
                    noted = done
                }
            }
        }
        try writer.flush()
        try place(part)
        return (done, there)
    }

    /// What a get has left that was killed when it was complete, where the file system needs two steps: the output
    /// under both names.
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

    /// One that is there without a note is somebody else's.
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
        // Another that gets into the same file goes on writing where it is.
        guard flock(part.number, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandFailure(.cannotCreate, "\(partPath) is being written by another process")
        }
        return part
    }

    /// What the note says is durable, where it is of this file as it is now; whatever else is there is cut off.
    private func bytesThere(
        _ part: borrowing OwnedDescriptor, _ identity: String, _ total: UInt64
    ) throws(CommandFailure) -> UInt64 {
        var facts = stat()
        let isKnown = fstat(part.number, &facts) == 0
        // What others could read, write or have under another name is not written to.
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
            Diagnostics.write("\(partPath) contains a part of another file than \(path): the transfer starts again")
        }
        guard ftruncate(part.number, off_t(there)) == 0, lseek(part.number, off_t(there), SEEK_SET) >= 0 else {
            throw CommandFailure(.inputOutput, "cannot truncate \(partPath): \(SystemError.last)")
        }
        return there
    }

    /// Once they are durable.
    private func note(
        _ identity: String, _ bytes: UInt64, _ part: borrowing OwnedDescriptor
    ) throws(CommandFailure) {
        guard fdatasync(part.number) == 0 else {
            throw CommandFailure(.inputOutput, "cannot sync \(partPath) to disk: \(SystemError.last)")
        }
        try writeNote("\(bytes) \(identity)\n")
    }

    /// Whole or not at all.
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
            throw CommandFailure(.inputOutput, "cannot finish \(output): \(error)" + FilePlacement.hint(error))
        }
        unlink(notePath)
        try FilePlacement.syncFolder(of: output)
    }
}
