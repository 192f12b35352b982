import ArgumentParser
import Glibc
import StoreBasics
import StoreClient

/// A command that calls the daemon.
protocol ClientCommand: AsyncParsableCommand {
    var global: GlobalOptions { get }

    /// The names of entries on the command line. If one of the entries does not exist, the error message contains its
    /// name.
    var subjects: [String] { get }

    /// Returns advice for a failure, in the terms of this program. It replaces the daemon's own advice, which is in the
    /// terms of the protocol.
    func hint(for reason: StoreClientError.Reason) -> String?

    /// Rejects a command line whose words are valid but do not fit together.
    func check() throws(CommandFailure)

    /// True if the command runs until `--timeout` has passed. `Following` then closes the connection, so a command with
    /// a timeout does not use the connection of the shell.
    var endsWithTimeout: Bool { get }

    func run(_ session: Session) async throws
}

extension ClientCommand {
    var subjects: [String] { [] }

    func hint(for reason: StoreClientError.Reason) -> String? { nil }

    func check() throws(CommandFailure) {}

    var endsWithTimeout: Bool { false }

    func run() async throws {
        try check()
        try await withSession(run)
    }

    /// Calls `body` with the connection of the shell, or with a new connection. A new connection is closed after `body`
    /// has succeeded.
    func withSession(_ body: (Session) async throws -> Void) async throws {
        // A given socket or timeout, and a command that closes its connection, need a new connection.
        let isShared = global.socket == nil && global.timeout == nil && !(endsWithTimeout && global.deadline != nil)
        let shared = isShared ? ShellContext.current?.client : nil
        let session = Session(client: try await connect(shared), output: global.makeOutput(), global: global)
        do {
            try await body(session)
        } catch {
            // The pager ends first, so that the failure is printed after the person has left the pager.
            try session.output.endPaging()
            var failure = error
            if let error = error as? StoreClientError {
                failure = await describedFailure(error, session.client)
            }
            // A shell would keep the connection of a failed command. Other programs end now.
            if shared == nil, ShellContext.current != nil {
                await session.client.close()
            }
            throw failure
        }
        try session.output.flush()
        if shared == nil {
            await session.client.close()
        }
    }

    private func connect(_ shared: StoreClient?) async throws -> StoreClient {
        if let shared {
            return shared
        }
        var configuration = ClientConfiguration()
        configuration.clientName = "ghoststorectl/\(ProjectVersion.text)"
        if let deadline = global.deadline {
            // `callDeadline` and `connectTimeout` apply to connecting and to short calls. `with(deadline:)` below
            // applies the deadline to long calls too.
            configuration.callDeadline = deadline
            configuration.connectTimeout = min(configuration.connectTimeout, deadline)
        }
        do throws(StoreClientError) {
            let client = try await StoreClient.connect(
                to: global.socket ?? ClientDefaults.current.socket, configuration: configuration)
            // The client does not wait while the store is locked, because `Following` waits itself and prints that it
            // waits.
            return (global.deadline.map { client.with(deadline: $0) } ?? client).with(waitsWhileLocked: false)
        } catch {
            guard error.reason == .answerUnreadable else { throw error }
            throw CommandFailure(
                .unavailable,
                "the program that listens on the socket is not ghoststored; hint: name another socket with --socket",
                answer: (error.code.name, error.reason.rawValue))
        }
    }

    /// Returns the failure for an error, with the name of the missing entry and with this program's own advice.
    private func describedFailure(_ error: StoreClientError, _ client: StoreClient) async -> CommandFailure {
        let failure = FailureMapping.failure(of: error)
        if error.code == .notFound, error.reason != .blobSessionNotFound,
            let subject = await missingSubject(error, client)
        {
            let cause = error.reason.missingKind.map { "there is no such \($0)" } ?? failure.cause
            let said = failure.saying { _ in "\(cause): \(subject)" }
            let isShortened = subject.unicodeScalars.contains("…")
            let hint = hint(for: error.reason) ?? (isShortened ? "--wide shows whole ids in lists" : nil)
            return hint.map { said.advising($0) { $0 } } ?? said
        }
        guard let hint = hint(for: error.reason) else { return failure }
        // In the daemon's message, the text after a semicolon is the daemon's own advice.
        return failure.advising(hint) { String($0.prefix { $0 != ";" }) }
    }

    /// Returns the name that the failure is about. If the command names several messages, requests each of them from
    /// the daemon to find the missing one.
    private func missingSubject(_ error: StoreClientError, _ client: StoreClient) async -> String? {
        guard subjects.count > 1, error.reason == .messageNotFound else { return subjects.first }
        for id in subjects {
            do throws(StoreClientError) {
                _ = try await client.message(id)
            } catch {
                guard error.reason != .messageNotFound else { return id }
                return nil
            }
        }
        return nil
    }
}

/// A command for one conversation. Its error messages say which conversation.
protocol ConversationNaming: ClientCommand {
    var conversation: ConversationOption { get }
}

extension ConversationNaming {
    var subjects: [String] { [conversation.conversation] }
}

/// A command for one message. Its error messages say which message.
protocol MessageNaming: ClientCommand {
    var id: String { get }
}

extension MessageNaming {
    var subjects: [String] { [id] }
}

/// A command for one append log. Its error messages say which log.
protocol LogNaming: ClientCommand {
    var log: String { get }
}

extension LogNaming {
    var subjects: [String] { [log] }
}

/// A command for one file or directory of the vault. Its error messages contain the path.
protocol FileNaming: ClientCommand {
    var path: VaultPath { get }
}

extension FileNaming {
    var subjects: [String] { [path.description] }
}

/// The connection, output and options of a running command. Only one task uses it.
struct Session {
    let client: StoreClient
    let output: Output
    let global: GlobalOptions

    /// Runs long work with a progress bar.
    ///
    /// - Parameters:
    ///   - label: The kind of work: "checking".
    ///   - unit: The items that the daemon counts: "rows".
    func withProgress<Result: Sendable>(
        _ label: String, _ unit: String, _ body: (@escaping @Sendable (WorkProgress) -> Void) async throws -> Result
    ) async throws -> Result {
        let bar = global.progressBar(label, .count(of: unit))
        defer { bar.finish() }
        return try await body { progress in
            bar.update(
                done: UInt64(clamping: progress.done), total: progress.total.map { UInt64(clamping: $0) })
        }
    }

    /// Prints the result of a mutation.
    ///
    /// - Parameter name: The name of a new entry if the caller did not choose it.
    func show(_ commit: Commit, name: String? = nil) throws(CommandFailure) {
        try output.say(commit.sentence, json: commit.json, name: name)
    }

    /// Returns the output for results. It is standard error if the file is standard output.
    func output(beside file: borrowing OutputFile) -> Output {
        file.isStandardOutput ? global.makeOutput(descriptor: ProgramRun.current.errors) : output
    }

    /// Returns the text of a time within a sentence.
    func text(_ time: Timestamp) -> String {
        time.shortText(output.style.times)
    }
}

/// The options of every command, given before or after its name.
struct GlobalOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Path of the daemon's socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Flag(help: "Print JSON Lines instead of tables; the same as --format json.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Output format: table for people; json (also called jsonl), csv or tsv for programs.", valueName: "format"))
    var format: OutputFormat?

    @Flag(
        name: .shortAndLong,
        help: "Print only the name or id of each result, one per line, and no reports of what was done.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "End a call after this many seconds (default: 30 for short calls, no limit for long work and watches).",
            valueName: "seconds"))
    var timeout: TimeoutOption?

    @Flag(help: "Show no progress bar, even on a terminal.")
    var noProgress = false

    @Flag(help: "Show whole tables on a terminal: cut no text and leave out no column.")
    var wide = false

    @Flag(help: "Show times in UTC, even on a terminal.")
    var utc = false

    @Flag(help: "Show lists and help without a pager, even on a terminal.")
    var noPager = false

    func validate() throws {
        guard !json || format == nil else {
            throw ValidationError("--json and --format cannot be combined; hint: --json means --format json")
        }
        guard !quiet || (!json && format == nil) else {
            throw ValidationError("--quiet prints names only; hint: leave out --json and --format")
        }
    }

    /// The requested form of the output; without a request, the configured form, or else a table.
    var form: OutputForm {
        let defaults = ClientDefaults.current
        let chosen = json ? .json : format
        guard !quiet, !defaults.isQuiet || chosen != nil else { return .names }
        return OutputForm(chosen ?? defaults.format ?? .table)
    }

    /// True if only names are printed.
    var isQuiet: Bool {
        if case .names = form { true } else { false }
    }

    /// Rejects `--quiet` together with an option that needs more than names.
    func refuseQuiet(with option: String) throws(CommandFailure) {
        guard !isQuiet else { throw .namesOnly(without: option) }
    }

    /// The time of `--timeout` of this command, or else of the shell; `nil` for no deadline.
    var deadline: Duration? {
        timeout?.duration ?? ClientDefaults.current.timeout
    }

    /// Stores the options as the defaults of a shell that was started with them.
    func hold(in defaults: inout ClientDefaults) {
        defaults.socket = socket ?? defaults.socket
        defaults.format = json ? .json : format ?? defaults.format
        defaults.isQuiet = quiet
        defaults.isWide = wide || defaults.isWide
        defaults.times = utc ? .utc : defaults.times
        defaults.showsProgress = !noProgress && defaults.showsProgress
        defaults.hasPager = !noPager
        defaults.timeout = timeout?.duration
    }

    func makeOutput(descriptor: Int32 = ProgramRun.current.output) -> Output {
        let defaults = ClientDefaults.current
        return Output(
            form,
            style: DisplayStyle(
                descriptor: descriptor, isWide: wide || defaults.isWide,
                times: utc || defaults.times == .utc ? .utc : defaults.times == .local ? .local : nil),
            descriptor: descriptor,
            pagerCommand: noPager || !defaults.hasPager ? nil : Pager.command(chosen: defaults.pager))
    }

    func progressBar(_ label: String, _ unit: ProgressBar.Unit) -> ProgressBar {
        ProgressBar(label, unit, isWanted: !noProgress && ClientDefaults.current.showsProgress)
    }
}

/// A time in seconds on the command line, with decimals.
struct TimeoutOption: ExpressibleByArgument {
    /// The longest timeout: a day.
    private static let secondsMax: Double = 86_400

    let duration: Duration

    init?(argument: String) {
        guard let seconds = Double(argument), seconds >= 0.001, seconds <= Self.secondsMax else { return nil }
        duration = .milliseconds(Int64(seconds * 1_000))
    }
}
