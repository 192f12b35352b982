import ArgumentParser
import StoreClient

struct FilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files", abstract: "Store files and directories in the file vault.",
        discussion: """
            A path is an area and names, separated by slashes: document/notes/today.txt. The areas are cache, \
            document, library, notSyncedLibrary and temporary. The vault is inside the store, so its paths do not \
            exist on this machine.
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
        commandName: "ls", abstract: "List a directory, sorted by name. Without a path, list the areas.")

    @Argument(help: "The directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath?

    @OptionGroup var list: ListOptions<VaultItem>
    @OptionGroup var global: GlobalOptions

    var subjects: [String] { path.map { [$0.description] } ?? [] }

    func run(_ session: Session) async throws {
        if let path {
            return try await list.show(session, emptyText: "the directory is empty") {
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

struct FilesTreeCommand: FileNaming {
    static let configuration = CommandConfiguration(
        commandName: "tree", abstract: "Show a directory with everything in it.")

    @Argument(help: "The directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try await VaultWalk(session.client).visit(path) { place, item in
            let depth = place.names.count - path.names.count - 1
            try session.output.printEvent(
                String(repeating: "  ", count: depth) + item.sentence, (place, item), VaultItem.descriptionInTree)
        }
    }
}

struct FilesUsageCommand: FileNaming {
    static let configuration = CommandConfiguration(
        commandName: "du", abstract: "Count the files, directories and bytes in a directory and below it.")

    @Argument(help: "The directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        var tally = FileTally()
        try await VaultWalk(session.client).visit(path) { _, item in tally.count(item) }
        try session.output.say("\(tally.sentence) in \(path)", json: tally.json(["path": path.description]))
    }
}

struct FilesAreasCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Show the size and the limit of each area.")

    @OptionGroup var columns: ColumnOptions<VaultAreaUsage>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.vaultUsage(), columns.names, emptyText: "no areas")
    }
}

struct FilesStatCommand: FileNaming {
    static let configuration = CommandConfiguration(
        commandName: "stat", abstract: "Show the size, the times and the revision of a file or directory.")

    @Argument(help: "The file or directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.vaultItem(at: path))
    }
}

struct FilesMakeDirectoryCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "mkdir", abstract: "Create a directory.")

    @Argument(help: "The directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @Flag(name: .shortAndLong, help: "Also create missing parent directories, and accept an existing directory.")
    var parents = false

    @OptionGroup var global: GlobalOptions

    func hint(for reason: StoreClientError.Reason) -> String? {
        guard reason == .alreadyExists else { return path.hintOfParents(reason, makesParents: parents) }
        return parents
            ? "a file has this name: choose another name" : "if an existing directory is enough, use --parents"
    }

    func run(_ session: Session) async throws {
        try session.show(try await makeDirectory(session.client))
    }

    private func makeDirectory(_ client: StoreClient) async throws(StoreClientError) -> Commit {
        do throws(StoreClientError) {
            return try await client.createDirectory(at: path, createsParents: parents)
        } catch {
            // With --parents, an existing directory is no failure. `mkdir --parents` behaves in the same way.
            guard parents, error.reason == .alreadyExists,
                let item = try? await client.vaultItem(at: path), item.kind == .directory
            else { throw error }
            return Commit(revision: item.revision, ids: [path.description])
        }
    }
}

struct FilesMoveCommand: FileNaming {
    static let configuration = CommandConfiguration(
        commandName: "mv", abstract: "Rename or move a file, or a directory with everything in it.",
        discussion: """
            A file at the new path is replaced. A directory at the new path is left as it is, and the command exits 3.
            """)

    @Argument(help: "The file or directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @Argument(
        help: "The new path, including the new name.", completion: .live(.files),
        transform: VaultPath.argument)
    var place: VaultPath

    @OptionGroup var global: GlobalOptions

    func hint(for reason: StoreClientError.Reason) -> String? {
        place.hintOfTarget(reason)
    }

    func run(_ session: Session) async throws {
        try session.show(try await session.client.moveFile(from: path, to: place))
    }
}

struct FilesCopyCommand: FileNaming {
    static let configuration = CommandConfiguration(
        commandName: "cp", abstract: "Copy a file, or a directory with everything in it.",
        discussion: """
            The copy shares its content with the original until one of them is changed. A file at the new path is \
            replaced. A directory at the new path is left as it is, and the command exits 3. If the copy of a \
            directory is interrupted, repeat the command to continue it.
            """)

    @Argument(help: "The file or directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @Argument(
        help: "The path of the copy, including its name.", completion: .live(.files),
        transform: VaultPath.argument)
    var place: VaultPath

    @OptionGroup var global: GlobalOptions

    func hint(for reason: StoreClientError.Reason) -> String? {
        place.hintOfTarget(reason)
    }

    func run(_ session: Session) async throws {
        try session.show(try await session.client.copyFile(from: path, to: place))
    }
}

struct FilesRemoveCommand: FileNaming {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete a file or directory.",
        discussion: """
            Before it deletes everything in an area, the command asks on the terminal; without a terminal it needs \
            --yes. This cannot be undone.
            """)

    @Argument(help: "The file or directory.", completion: .live(.files), transform: VaultPath.argument)
    var path: VaultPath

    @Flag(name: .shortAndLong, help: "Delete a directory with everything in it.")
    var recursive = false

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var global: GlobalOptions

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
