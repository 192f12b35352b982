import ArgumentParser
import StoreBasics

struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ghoststorectl",
        abstract: "Administer a ghoststored daemon, and read and write its store.",
        discussion: """
            The options below can be given before or after the command. Some of their defaults come from environment \
            variables (GHOSTSTORE_SOCKET, GHOSTSTORE_FORMAT, GHOSTSTORE_PAGER, GHOSTSTORE_TIMES), or else from the \
            settings socket, format, pager, times, wide and progress in the file $XDG_CONFIG_HOME/ghoststore/ctl.yaml \
            (~/.config/ghoststore/ctl.yaml if XDG_CONFIG_HOME is not set).

            If no socket is named, ghoststorectl uses $XDG_RUNTIME_DIR/ghoststore/socket if it exists, else \
            /run/ghoststore/socket. Secrets are read from a prompt without echo, a file or a descriptor, never from \
            an argument or a variable.

            \(ExitStatus.helpText)
            """,
        version: "ghoststorectl \(ProjectVersion.text)",
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(
                name: "Store",
                subcommands: [
                    InitCommand.self, UnlockCommand.self, LockCommand.self, StatusCommand.self, StatsCommand.self,
                    MetricsCommand.self, TopCommand.self, ClientsCommand.self, DoctorCommand.self, CheckCommand.self,
                    ClearAllDataCommand.self,
                ]),
            CommandGroup(
                name: "Keys, backups and devices",
                subcommands: [KeysCommand.self, BackupCommand.self, ReplicationCommand.self]),
            CommandGroup(
                name: "Data",
                subcommands: [
                    ConversationsCommand.self, MessagesCommand.self, AttachmentsCommand.self, DraftsCommand.self,
                    ContactsCommand.self, SearchCommand.self, ChangesCommand.self, WatchCommand.self,
                    ScenesCommand.self, LogsCommand.self, BlobsCommand.self, FilesCommand.self, ArchiveCommand.self,
                ]),
            CommandGroup(
                name: "Scripting",
                subcommands: [
                    ShellCommand.self, RPCCommand.self, EncodeCommand.self, DecodeCommand.self, CompletionsCommand.self,
                ]),
        ])

    @OptionGroup var global: GlobalOptions
}
