import ArgumentParser
import StoreClient

struct FilesCatCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Write a file's bytes to standard output.")

    @Argument(help: "The file.", completion: .live(.files))
    var path: VaultPathArgument

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [path.value.description] }

    func run(_ session: Session) async throws {
        for try await chunk in session.client.fileChunks(at: path.value) {
            try session.output.raw(chunk)
        }
    }
}

struct FilesPutCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Save a file of this machine in the vault, or a folder with all it holds.",
        discussion: """
            A file in the place is replaced; a folder is put into the directory that is there. Links are not followed: \
            they, devices and names that are not UTF-8 are left out with a message.
            """)

    @Argument(help: "The file or folder of this machine; '-' is standard input.", completion: .file())
    var file: String

    @Argument(help: "Its place in the vault.", completion: .live(.files))
    var place: VaultPathArgument

    @Flag(name: .shortAndLong, help: "It is a folder: put all it holds.")
    var recursive = false

    @Flag(name: .shortAndLong, help: "Make the directories that the place lies in.")
    var parents = false

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        var put = FilePut(session)
        defer { put.finish() }
        if recursive {
            try await put.folder(file, at: place.value, createsParents: parents)
        } else {
            try await put.save(try InputFile(file), at: place.value, createsParents: parents)
        }
        put.finish()
        try session.output.say(
            "\(put.tally.sentence) in \(place.value)\(put.skippedSentence)",
            json: put.tally.json(["path": place.value.description, "skipped": put.skippedCount]))
    }
}

struct FilesGetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Write a file of the vault to this machine, or a directory with all it holds.",
        discussion: """
            A file appears whole or not at all, for its owner alone. Nothing is written outside of the file or folder \
            named: no link below it is followed.
            """)

    @Argument(help: "The file or directory of the vault.", completion: .live(.files))
    var path: VaultPathArgument

    @Argument(help: "The file or folder to make; '-' is standard output.", completion: .file())
    var file: String

    @Flag(name: .shortAndLong, help: "It is a directory: get all it holds.")
    var recursive = false

    @Flag(help: "Replace files that are there.")
    var force = false

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [path.value.description] }

    func run(_ session: Session) async throws {
        guard !recursive else { return try await getTree(session) }
        let output = try OutputFile(file, replacesExisting: force)
        let writer = DescriptorWriter(descriptor: output.descriptor)
        let bar = global.progressBar("getting", .bytes)
        defer { bar.finish() }
        var done: UInt64 = 0
        for try await chunk in session.client.fileChunks(at: path.value) {
            try writer.write(chunk)
            done += UInt64(chunk.count)
            bar.update(done: done, total: nil)
        }
        try writer.flush()
        try output.commit()
        bar.finish()
        var tally = FileTally()
        tally.count(bytes: done)
        try session.output(beside: output).say(
            "\(tally.sentence) in \(file)", json: tally.json(["path": path.value.description, "file": file]))
    }

    private func getTree(_ session: Session) async throws {
        let tally = try await Interruption.deferred("interrupted: ends behind this file") {
            var get = FileGet(session, replacesExisting: force)
            return try await get.directory(path.value, into: file)
        }
        try session.output.say(
            "\(tally.sentence) in \(file)", json: tally.json(["path": path.value.description, "file": file]))
    }
}
