import ArgumentParser
import StoreClient

struct FilesCatCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Write a file's bytes to standard output.")

    @Argument(help: "The file.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [path.description] }

    func hint(for reason: StoreClientError.Reason) -> String? {
        reason == .fileNotFound ? "of a directory 'files ls' tells what it holds" : nil
    }

    func run(_ session: Session) async throws {
        for try await chunk in session.client.fileChunks(at: path) {
            try session.output.raw(chunk)
        }
    }
}

struct FilesPutCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Save a file of this machine in the vault, or a folder with all it holds.",
        discussion: """
            A file in the place is replaced, except by an empty standard input or pipe. What a folder holds is put \
            into the directory PLACE, which is created if there is none. Links are not followed: they, devices and \
            names that are not UTF-8 are left out with a message. A file that cannot be read or put is left out too: \
            the others are put, and the exit status is that of the first failure. Modes and times are not kept.

            With --resume a file goes to PLACE.put-partial, in parts that stay, and is moved to its place once it is \
            whole. Put again after a break, it goes on behind what is there, which is read back and compared first.
            """)

    @Argument(help: "The file or folder of this machine; '-' is standard input.", completion: .file())
    var file: String

    @Argument(help: "Its place in the vault.", completion: .live(.files), transform: VaultPath.argument)
    var place: VaultPath

    @Flag(name: .shortAndLong, help: "It is a folder: put all it holds.")
    var recursive = false

    @Flag(name: .shortAndLong, help: "Make the directories that the place lies in.")
    var parents = false

    @Flag(help: "Go on where a put of the file was broken off.")
    var resume = false

    @OptionGroup var empty: EmptyInputOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard !resume || !recursive else { throw ValidationError("--resume is about one file, --recursive about many") }
        guard !resume || file != "-" else {
            throw ValidationError("standard input cannot be gone on with; hint: --resume takes a file")
        }
        guard !recursive || file != "-" else {
            throw ValidationError("standard input is no folder; hint: ./- is one of that name")
        }
    }

    func hint(for reason: StoreClientError.Reason) -> String? {
        guard reason == .alreadyExists else { return place.hintOfParents(reason, makesParents: parents) }
        return recursive
            ? "a file has the name of the directory: name another place, or move the file"
            : "a directory is there: name a place in it, as \(place)/NAME"
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
            "\(put.tally.sentence) in \(place)\(put.skippedSentence)",
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
            "\(tally.sentence) in \(place)\(FileTally.resumed(there))",
            json: tally.json(["path": place.description, "skipped": 0, "failed": 0, "resumed_at": there]))
    }
}

struct FilesGetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Write a file of the vault to this machine, or a directory with all it holds.",
        discussion: """
            A file appears whole or not at all, for its owner alone. Nothing is written outside of the file or folder \
            named: no link below it is followed. Of a directory, a file is left out with a message if it is damaged or \
            something is in its way; the others are got, and the exit status is that of the first failure.

            With --resume a file goes to OUTPUT.part until it is whole, and OUTPUT.part-of notes which it is. Got \
            again after a break, it goes on behind what is there if the file in the vault is still the one, or begins \
            anew.
            """)

    @Argument(help: "The file or directory of the vault.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @Argument(help: "The file or folder to make; '-' is standard output.", completion: .file())
    var file: String

    @Flag(name: .shortAndLong, help: "It is a directory: get all it holds.")
    var recursive = false

    @Flag(help: "Replace files that are there.")
    var force = false

    @Flag(help: "Go on where a get of the file was broken off.")
    var resume = false

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [path.description] }

    func validate() throws {
        guard !resume || !recursive else { throw ValidationError("--resume is about one file, --recursive about many") }
        guard !recursive || file != "-" else {
            throw ValidationError("standard output is no folder; hint: ./- is one of that name")
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
            "\(tally.sentence) in \(file)", json: tally.json(["path": path.description, "file": file]))
    }

    private func runResuming(_ session: Session) async throws {
        let get = ResumableGet(session, path, to: file, replacesExisting: force)
        let (bytes, there) = try await get.get()
        var tally = FileTally()
        tally.count(bytes: bytes)
        try session.output.say(
            "\(tally.sentence) in \(file)\(FileTally.resumed(there))",
            json: tally.json(["path": path.description, "file": file, "resumed_at": there]))
    }

    private func getTree(_ session: Session) async throws {
        let (tally, failures) = try await Interruption.deferred("ends after this file") {
            var get = FileGet(session, replacesExisting: force)
            return (try await get.directory(path, into: file), get.failures)
        }
        try session.output.say(
            "\(tally.sentence) in \(file)\(failures.sentence)",
            json: tally.json(
                [
                    "path": path.description, "file": file, "failed": failures.count,
                    "damaged": failures.damagedCount,
                ]))
        try failures.check()
    }
}
