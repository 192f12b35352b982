import ArgumentParser
import StoreClient

struct FilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files", abstract: "The file vault: trees of directories and files.",
        discussion: """
            A path is the area and names with slashes between them: document/notes/today.txt. The areas are cache, \
            document, library, notSyncedLibrary and temporary. A path is data and never one of this machine.
            """,
        subcommands: [
            FilesPutCommand.self, FilesGetCommand.self, FilesCatCommand.self, FilesListCommand.self,
            FilesTreeCommand.self, FilesMoveCommand.self, FilesCopyCommand.self, FilesRemoveCommand.self,
            FilesMakeDirectoryCommand.self, FilesStatCommand.self, FilesUsageCommand.self,
            FilesAreasCommand.self,
        ])
}

struct FilesListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "List what a directory holds, by name; without one, the areas.")

    @Argument(help: "The directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath?

    @OptionGroup var list: ListOptions<VaultItem>
    @OptionGroup var global: GlobalOptions

    var subjects: [String] { path.map { [$0.description] } ?? [] }

    func run(_ session: Session) async throws {
        if let path {
            return try await list.show(session, emptyText: "nothing in it") {
                session.client.vaultItems(in: path, from: $0)
            }
        }
        var areas: [VaultItem] = []
        for area in VaultArea.allCases {
            areas.append(try await session.client.vaultItem(at: VaultPath(area)))
        }
        try session.output.show(areas, list.columns.names, emptyText: "no areas")
    }
}

struct FilesTreeCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree", abstract: "Show a directory with all it holds.")

    @Argument(help: "The directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [path.description] }

    func run(_ session: Session) async throws {
        try await VaultWalk(session.client).visit(path) { place, item in
            let depth = place.names.count - path.names.count - 1
            var json: JSONObject = ["path": place.description]
            item.add(to: &json)
            try session.output.tell(
                String(repeating: "  ", count: depth) + item.sentence, json, VaultItem.recordInTree)
        }
    }
}

struct FilesUsageCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "du", abstract: "Count what a directory holds, all the way down.")

    @Argument(help: "The directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [path.description] }

    func run(_ session: Session) async throws {
        var tally = FileTally()
        try await VaultWalk(session.client).visit(path) { _, item in tally.count(item) }
        try session.output.say("\(tally.sentence) in \(path)", json: tally.json(["path": path.description]))
    }
}

struct FilesAreasCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "How much each area holds, and may hold.")

    @OptionGroup var columns: ColumnOptions<VaultAreaUsage>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.vaultUsage(), columns.names, emptyText: "no areas")
    }
}

struct FilesStatCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat", abstract: "Show what is known of a file or directory.")

    @Argument(help: "The file or directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [path.description] }

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.vaultItem(at: path))
    }
}

struct FilesMakeDirectoryCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "mkdir", abstract: "Make a directory.")

    @Argument(help: "The directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @Flag(name: .shortAndLong, help: "Make the directories that it lies in too.")
    var parents = false

    @OptionGroup var global: GlobalOptions

    func hint(for reason: StoreClientError.Reason) -> String? {
        guard reason == .alreadyExists else { return path.hintOfParents(reason, makesParents: parents) }
        return parents
            ? "a file has this name: choose another" : "--parents is content with a directory that is there"
    }

    func run(_ session: Session) async throws {
        try session.show(try await makeDirectory(session.client))
    }

    private func makeDirectory(_ client: StoreClient) async throws(StoreClientError) -> Commit {
        do throws(StoreClientError) {
            return try await client.createDirectory(at: path, createsParents: parents)
        } catch {
            // As mkdir(1) has it: with --parents it is enough that the directory is there.
            guard parents, error.reason == .alreadyExists,
                let item = try? await client.vaultItem(at: path), item.kind == .directory
            else { throw error }
            return Commit(revision: item.revision, ids: [path.description])
        }
    }
}

struct FilesMoveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv", abstract: "Rename or move a file, or a directory with all it holds.",
        discussion: "A file in the place is replaced. A directory there is left as it is: exit status 3.")

    @Argument(help: "The file or directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @Argument(
        help: "What it is to be called, with its directory.", completion: .live(.files),
        transform: VaultPath.argument)
    var place: VaultPath

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [path.description] }

    func hint(for reason: StoreClientError.Reason) -> String? {
        place.hintOfTarget(reason)
    }

    func run(_ session: Session) async throws {
        try session.show(try await session.client.moveFile(from: path, to: place))
    }
}

struct FilesCopyCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "cp", abstract: "Copy a file, or a directory with all it holds.",
        discussion: """
            No content is stored twice until one of the two is written. A file in the place is replaced. A directory \
            there is left as it is, exit status 3, unless it is the beginning of the same copy.
            """)

    @Argument(help: "The file or directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @Argument(
        help: "What the copy is to be called, with its directory.", completion: .live(.files),
        transform: VaultPath.argument)
    var place: VaultPath

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [path.description] }

    func hint(for reason: StoreClientError.Reason) -> String? {
        place.hintOfTarget(reason)
    }

    func run(_ session: Session) async throws {
        try session.show(try await session.client.copyFile(from: path, to: place))
    }
}

struct FilesRemoveCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete a file or directory.",
        discussion: """
            Asks on the terminal before a whole area is emptied, and without a terminal needs --yes for that. This \
            cannot be undone.
            """)

    @Argument(help: "The file or directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @Flag(name: .shortAndLong, help: "It is a directory: remove it with all it holds.")
    var recursive = false

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [path.description] }

    func hint(for reason: StoreClientError.Reason) -> String? {
        recursive ? nil : VaultPath.hintOfFile(reason)
    }

    func run(_ session: Session) async throws {
        if recursive, path.names.isEmpty, !yes {
            try Confirmation.ask("Delete all files and directories in \(path)?", word: "delete")
        }
        try session.show(
            recursive
                ? try await session.client.removeDirectory(at: path, withChildren: true)
                : try await session.client.deleteFile(at: path))
    }
}
