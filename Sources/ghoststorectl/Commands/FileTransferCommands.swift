import ArgumentParser
import StoreClient

struct FilesCatCommand: FileNaming {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Write the bytes of a file to standard output.")

    @Argument(help: "The file.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @OptionGroup var global: GlobalOptions

    func hint(for reason: StoreClientError.Reason) -> String? {
        reason == .fileNotFound ? "if it is a directory, 'files ls' lists it" : nil
    }

    func run(_ session: Session) async throws {
        for try await chunk in session.client.fileChunks(at: path) {
            try session.output.raw(chunk)
        }
    }
}

struct FilesPutCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Copy a file of this machine into the vault, or a directory with everything in it.",
        discussion: """
            A file at PLACE is replaced. If standard input or a pipe is empty, the file is not replaced, and the \
            command exits 65, unless you give --allow-empty. The content of a directory is copied into the directory \
            PLACE of the vault, which is created if it does not exist. Links are not followed.

            Links, devices, and files with a name that is not UTF-8 are left out with an error message. A file that \
            cannot be read or saved is left out too. All other files are copied, and the exit status is the status of \
            the first file that could not be read or saved. Modes and times are not kept.

            With --resume the command writes the file to PLACE.put-partial in parts, and moves it to PLACE at the end. \
            If the transfer is interrupted, repeat the command: it reads the saved parts back, compares them with the \
            file, and continues after them.
            """)

    @Argument(help: "The file or directory of this machine; '-' is standard input.", completion: .file())
    var file: String

    @Argument(help: "The path in the vault.", completion: .live(.files), transform: VaultPath.argument)
    var place: VaultPath

    @Flag(name: .shortAndLong, help: "Copy a directory with everything in it.")
    var recursive = false

    @Flag(name: .shortAndLong, help: "Create missing parent directories.")
    var parents = false

    @Flag(help: "Continue an interrupted transfer of the file.")
    var resume = false

    @OptionGroup var empty: EmptyInputOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard !resume || !recursive else { throw ValidationError("--resume and --recursive cannot be combined") }
        guard !resume || file != "-" else {
            throw ValidationError("standard input cannot be resumed; hint: name a file")
        }
        guard !recursive || file != "-" else {
            throw ValidationError("standard input is not a directory; hint: write ./- for a directory with the name -")
        }
    }

    func hint(for reason: StoreClientError.Reason) -> String? {
        guard reason == .alreadyExists else { return place.hintOfParents(reason, makesParents: parents) }
        return recursive
            ? "a file has the name of the directory: choose another path, or move the file"
            : "a directory has this name: name a path in it, such as \(place)/NAME"
    }

    func run(_ session: Session) async throws {
        guard !resume else { return try await runResuming(session) }
        var put = FilePut(session)
        defer { put.finish() }
        if recursive {
            try await put.folder(file, at: place, createsParents: parents)
        } else {
            try await put.save(
                try InputFile(file), at: place, createsParents: parents, allowsEmpty: empty.allowEmpty)
        }
        put.finish()
        try session.output.say(
            "copied \(put.tally.sentence) to \(place)\(put.skippedSentence)",
            json: put.tally.json(
                ["path": place.description, "skipped": put.skippedCount, "failed": put.failures.count]))
        try put.failures.check()
    }

    private func runResuming(_ session: Session) async throws {
        let input = try InputFile(file)
        let there = try await ResumablePut(session, to: place).save(input, createsParents: parents)
        var tally = FileTally()
        tally.count(bytes: input.bytes ?? 0)
        try session.output.say(
            "copied \(tally.sentence) to \(place)\(FileTally.resumed(there))",
            json: tally.json(["path": place.description, "skipped": 0, "failed": 0, "resumed_at": there]))
    }
}

struct FilesGetCommand: FileNaming {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Copy a file of the vault to this machine, or a directory with everything in it.",
        discussion: """
            A file appears on this machine only when it is complete, and only its owner can read it. Nothing is \
            written outside FILE, because links in FILE are not followed. With --recursive, a file is left out with an \
            error message if it is damaged, or if a file with its name exists and --force is not given. All other \
            files are copied, and the exit status is the status of the first file that was left out.

            With --resume the command writes to FILE.part first. FILE.part-of records the file of the vault that the \
            bytes in FILE.part come from. If the transfer is interrupted, repeat the command: it continues after the \
            bytes in FILE.part if the file of the vault is the same, and begins again if it is not.
            """)

    @Argument(help: "The file or directory of the vault.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @Argument(help: "The file or directory to create on this machine; '-' is standard output.", completion: .file())
    var file: String

    @Flag(name: .shortAndLong, help: "Copy a directory with everything in it.")
    var recursive = false

    @Flag(help: "Replace existing files.")
    var force = false

    @Flag(help: "Continue an interrupted transfer of the file.")
    var resume = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard !resume || !recursive else { throw ValidationError("--resume and --recursive cannot be combined") }
        guard !recursive || file != "-" else {
            throw ValidationError("standard output is not a directory; hint: write ./- for a directory with the name -")
        }
    }

    func hint(for reason: StoreClientError.Reason) -> String? {
        recursive ? nil : VaultPath.hintOfFile(reason)
    }

    func run(_ session: Session) async throws {
        guard !recursive else { return try await getTree(session) }
        guard !resume else { return try await runResuming(session) }
        let output = try OutputFile(file, replacesExisting: force)
        let writer = DescriptorWriter(descriptor: output.descriptor)
        let bar = global.progressBar("getting", .bytes)
        defer { bar.finish() }
        let total = try await session.client.vaultItem(at: path).contentBytes
        var done: UInt64 = 0
        for try await chunk in session.client.fileChunks(at: path) {
            try writer.write(chunk)
            done += UInt64(chunk.count)
            bar.update(done: done, total: total)
        }
        try writer.flush()
        try output.commit()
        bar.finish()
        var tally = FileTally()
        tally.count(bytes: done)
        try session.output(beside: output).say(
            "copied \(tally.sentence) to \(file)", json: tally.json(["path": path.description, "file": file]))
    }

    private func runResuming(_ session: Session) async throws {
        let get = ResumableGet(session, path, to: file, replacesExisting: force)
        let (bytes, there) = try await get.get()
        var tally = FileTally()
        tally.count(bytes: bytes)
        try session.output.say(
            "copied \(tally.sentence) to \(file)\(FileTally.resumed(there))",
            json: tally.json(["path": path.description, "file": file, "resumed_at": there]))
    }

    private func getTree(_ session: Session) async throws {
        let (tally, failures) = try await Interruption.deferred("stopping after this file") {
            var get = FileGet(session, replacesExisting: force)
            return (try await get.directory(path, into: file), get.failures)
        }
        try session.output.say(
            "copied \(tally.sentence) to \(file)\(failures.sentence)",
            json: tally.json(
                [
                    "path": path.description, "file": file, "failed": failures.count,
                    "damaged": failures.damagedCount,
                ]))
        try failures.check()
    }
}
