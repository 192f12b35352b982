import ArgumentParser
import StoreBasics

struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ghoststorectl",
        abstract: "Administer a ghoststored daemon, and read and write its store.",
        discussion: """
            The daemon's socket is --socket, else $GHOSTSTORE_SOCKET, else $XDG_RUNTIME_DIR/ghoststore/socket, else \
            /run/ghoststore/socket. Secrets are read from a prompt without echo, a file or a descriptor; never from \
            an argument or the environment. The common options may stand before a command or behind it; what holds \
            without them can be set in $XDG_CONFIG_HOME/ghoststore/ctl.yaml (socket, format, pager, times, wide, \
            progress) and by GHOSTSTORE_FORMAT, GHOSTSTORE_PAGER and GHOSTSTORE_TIMES.

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
