import ArgumentParser
import StoreBasics
import StoreClient

/// A command that talks to the daemon.
protocol ClientCommand: AsyncParsableCommand {
    var global: GlobalOptions { get }

    func run(_ session: Session) async throws
}

extension ClientCommand {
    func run() async throws {
        try await withSession(run)
    }

    /// Connects, does something and closes.
    func withSession(_ body: (Session) async throws -> Void) async throws {
        let session = Session(client: try await connect(), output: global.makeOutput(), global: global)
        try await body(session)
        try session.output.flush()
        await session.client.close()
    }

    private func connect() async throws(StoreClientError) -> StoreClient {
        var configuration = ClientConfiguration()
        configuration.clientName = "ghoststorectl/\(ProjectVersion.text)"
        guard let seconds = global.timeout else {
            return try await StoreClient.connect(to: global.socket, configuration: configuration)
        }
        // The configured deadline holds for connecting and short calls, the given one for long work too.
        configuration.callDeadline = .seconds(seconds)
        configuration.connectTimeout = min(configuration.connectTimeout, .seconds(seconds))
        return try await StoreClient.connect(to: global.socket, configuration: configuration)
            .with(deadline: .seconds(seconds))
    }
}

/// What a command has while it runs. Used from one task.
struct Session {
    let client: StoreClient
    let output: Output
    let global: GlobalOptions

    /// Does long work under a progress bar.
    func withProgress<Result: Sendable>(
        _ label: String, _ body: (@escaping @Sendable (WorkProgress) -> Void) async throws -> Result
    ) async throws -> Result {
        let bar = global.progressBar(label)
        defer { bar.finish() }
        return try await body { progress in
            bar.update(
                done: UInt64(clamping: progress.done), total: progress.total.map { UInt64(clamping: $0) })
        }
    }

    /// Says what a mutation did.
    func show(_ commit: Commit) throws(CommandFailure) {
        try output.say(commit.sentence, json: commit.json)
    }
}

/// What every command takes.
struct GlobalOptions: ParsableArguments {
    /// The longest `--timeout`: a day.
    private static let timeoutSecondsMax = 86_400

    @Option(help: ArgumentHelp("Path of the daemon's socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Flag(help: "Print JSON Lines for programs instead of tables for people.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Give up after so many seconds (30 for short calls, never for long work).", valueName: "seconds"))
    var timeout: Int?

    @Flag(help: "Show no progress bar, even on a terminal.")
    var noProgress = false

    func validate() throws {
        if let timeout, !(1...Self.timeoutSecondsMax).contains(timeout) {
            throw ValidationError("--timeout is a number of seconds from 1 to \(Self.timeoutSecondsMax)")
        }
    }

    func makeOutput() -> Output {
        Output(isJSON: json)
    }

    func progressBar(_ label: String) -> ProgressBar {
        ProgressBar(label, isWanted: !noProgress)
    }
}

/// How much of a long list is wanted.
struct PageOptions: ParsableArguments {
    static let rowsMax = 1_000

    @Option(help: ArgumentHelp("Rows to show, 1 to 1,000.", valueName: "rows"))
    var limit = 100

    @Flag(help: "Show everything, page after page.")
    var all = false

    func validate() throws {
        guard (1...Self.rowsMax).contains(limit) else {
            throw ValidationError("--limit is a number from 1 to \(Self.rowsMax)")
        }
    }

    /// Rows to ask for at a time. The daemon ends a page of large rows before, and its cursor tells so.
    var pageRows: Int {
        all ? Self.rowsMax / 2 : limit
    }
}

/// A long list that goes on at a cursor.
struct ListOptions: ParsableArguments {
    @OptionGroup var page: PageOptions

    @Option(help: "Go on where a page ended.")
    var cursor: String?

    /// Shows what is wanted of the list, and tells how to go on.
    ///
    /// - Parameter fetch: the page of so many rows from a cursor on, and the cursor of the next one.
    func show<Row: Tabular>(
        _ session: Session, emptyText: String,
        _ fetch: (_ rows: Int, _ cursor: String?) async throws -> ([Row], String?)
    ) async throws {
        var cursor = cursor
        repeat {
            let (rows, next) = try await fetch(page.pageRows, cursor)
            try session.output.show(rows, emptyText: emptyText)
            cursor = next
        } while page.all && cursor != nil
        session.hintAtMore("--cursor", cursor)
    }
}

extension Session {
    /// Tells on standard error that a list goes on, and with which option: in words, or as an object for programs.
    func hintAtMore(_ option: String, _ place: String?) {
        guard let place else { return }
        guard output.isJSON else { return Diagnostics.write("there is more; hint: \(option) \(place), or --all") }
        Diagnostics.write(["more": [option, place]])
    }
}
