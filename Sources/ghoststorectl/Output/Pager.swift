import Glibc
import StoreBasics

/// The program that shows what is listed a page at a time, and what is written to it.
final class Pager {
    /// The statuses with which a shell ends if it cannot start a command (sh(1)).
    private static let notExecutableStatus: Int32 = 126
    private static let notFoundStatus: Int32 = 127
    /// A shell adds this to the number of the signal that ended a command.
    private static let signalStatus: Int32 = 128
    private static let interruptedStatus = signalStatus + SIGINT

    let writer: DescriptorWriter
    private let command: String
    private let input: Int32
    private let process: pid_t
    private let interrupts: sigaction
    private var isFinished = false

    /// The one to use: that of the person's choice, else less, which ends by itself where all fits on the screen.
    /// `nil` for none: chosen so, or on a terminal that can do nothing. With rights that another user has lent
    /// (sudo(8)) it is less without its commands.
    ///
    /// - Parameter chosen: of the configuration file.
    static func command(chosen: String?) -> String? {
        guard let terminal = Environment.value("TERM"), terminal != "dumb" else { return nil }
        guard !isPrivileged else { return isInstalled("less") ? "LESSSECURE=1 less" : nil }
        let choice =
            Environment.present("GHOSTSTORE_PAGER") ?? chosen ?? Environment.present("PAGER")
            ?? (isInstalled("less") ? "less" : "")
        return choice.isEmpty || choice == "cat" ? nil : choice
    }

    init(_ command: String) throws(CommandFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.cannotStart(command, errno) }
        for end in ends {
            // Else the pager would hold open what it waits for the end of.
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        defer { close(ends[0]) }
        let (number, process) = Self.spawn(command, input: ends[0])
        guard number == 0 else {
            close(ends[1])
            throw Self.cannotStart(command, number)
        }
        (self.command, input, self.process) = (command, ends[1], process)
        writer = DescriptorWriter(descriptor: ends[1])
        // Ctrl-C is the pager's: this program ends when that does.
        var ignored = sigaction()
        ignored.__sigaction_handler.sa_handler = SIG_IGN
        var before = sigaction()
        sigaction(SIGINT, &ignored, &before)
        interrupts = before
    }

    deinit {
        if !isFinished {
            // After a failure, which is told below what is shown by then.
            try? finish()
        }
    }

    /// Shows a text and waits until the person has read it.
    ///
    /// - Throws: if the pager cannot be started, or ends with an error: then the text may not have been shown. Ctrl-C
    ///   is no error.
    static func show(_ text: String, in command: String) throws(CommandFailure) {
        let pager = try Pager(command)
        // If the pager ends without reading, its status says whether it failed or the person has seen enough.
        try? pager.writer.write(text)
        let status = pager.end().status
        guard ![0, interruptedStatus].contains(status) else { return }
        throw pager.failure(status)
    }

    /// Waits until the person is done with the pager.
    ///
    /// - Throws: if the pager could not be started, or ended before it had read all that was written.
    func finish() throws(CommandFailure) {
        let (status, failure) = end()
        guard ![Self.notExecutableStatus, Self.notFoundStatus].contains(status) else { throw self.failure(status) }
        if let failure { throw failure }
    }

    /// Writes the rest, and returns how the pager ended.
    ///
    /// - Returns: the status as a shell counts it: 128 and the number of the signal that ended the pager; and why the
    ///   rest could not be written.
    private func end() -> (status: Int32, failure: CommandFailure?) {
        isFinished = true
        defer {
            var interrupts = interrupts
            sigaction(SIGINT, &interrupts, nil)
        }
        var failure: CommandFailure?
        do throws(CommandFailure) {
            try writer.flush()
        } catch {
            failure = error
        }
        close(input)
        var status: Int32 = 0
        _ = try? withoutInterruption { waitpid(process, &status, 0) }
        let signal = status & 0x7F
        return (signal == 0 ? (status >> 8) & 0xFF : Self.signalStatus + signal, failure)
    }

    private func failure(_ status: Int32) -> CommandFailure {
        let cause =
            switch status {
            case Self.notFoundStatus: "there is no pager '\(command)'"
            case Self.notExecutableStatus: "cannot start the pager '\(command)': it is not executable"
            default: "the pager '\(command)' ended with status \(status)"
            }
        return CommandFailure(.inputOutput, "\(cause); hint: use --no-pager, or set another pager in GHOSTSTORE_PAGER")
    }

    /// By a shell, as the choice may have options. Signals do to it what they do by default.
    private static func spawn(_ command: String, input: Int32) -> (error: Int32, process: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGPIPE, SIGTERM, SIGHUP] {
            sigaddset(&defaults, signal)
        }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        // As git(1) has it: ends where all fits, leaves colours, and leaves the screen as it is. What is looked for in
        // it is content, and goes to no file.
        let line = "export LESS=\"${LESS-FRX}\" LESSHISTFILE=\"${LESSHISTFILE--}\"; \(command)"
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/sh"), strdup("-c"), strdup(line), nil]
        defer { arguments.forEach { free($0) } }
        return (posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, environ), process)
    }

    /// Somebody has been given the right to run this program, and with it no right to a shell, which a pager offers.
    private static var isPrivileged: Bool {
        getuid() != geteuid() || geteuid() == 0 && Environment.value("SUDO_UID") != nil
    }

    private static func isInstalled(_ name: String) -> Bool {
        (Environment.value("PATH") ?? "/usr/bin:/bin").split(separator: ":").contains {
            access("\($0)/\(name)", X_OK) == 0
        }
    }

    private static func cannotStart(_ command: String, _ number: Int32) -> CommandFailure {
        CommandFailure(
            .inputOutput, "cannot start the pager '\(command)': \(SystemError(number)); hint: --no-pager")
    }
}
