import Glibc
import StoreBasics

/// The program that shows output a page at a time, and the writer to its input.
final class Pager {
    /// The exit statuses of a shell that cannot start a command (sh(1)).
    private static let notExecutableStatus: Int32 = 126
    private static let notFoundStatus: Int32 = 127
    /// The number that a shell adds to a signal's number to get the exit status of a command that the signal ended.
    private static let signalStatus: Int32 = 128
    private static let interruptedStatus = signalStatus + SIGINT

    let writer: DescriptorWriter
    private let command: String
    private let input: Int32
    private let process: pid_t
    private let interrupts: sigaction
    private var isFinished = false

    /// Returns the pager command: the person's choice, or else `less`, which ends at once if everything fits on the
    /// screen. Returns `nil` if the person wants no pager or the terminal is dumb. If another user granted the right to
    /// run this program (sudo(8)), the pager is always `less` in its secure mode, in which it runs no other programs.
    ///
    /// - Parameter chosen: The choice in the configuration file.
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
            // Without this flag, the pager would inherit the writing end of its own input, and never see the end of the
            // input.
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
        // Ctrl-C is for the pager. This program ends when the pager does.
        var ignored = sigaction()
        ignored.__sigaction_handler.sa_handler = SIG_IGN
        var before = sigaction()
        sigaction(SIGINT, &ignored, &before)
        interrupts = before
    }

    deinit {
        if !isFinished {
            // `finish` was not called, so a command has failed. The failure is reported below the text shown so far, so
            // the pager must end first.
            try? finish()
        }
    }

    /// Shows a text and waits until the person has read it.
    ///
    /// - Throws: If the pager cannot be started or ends with an error, because the text may not have been shown. Ctrl-C
    ///   is no error.
    static func show(_ text: String, in command: String) throws(CommandFailure) {
        let pager = try Pager(command)
        // The write fails if the pager ends without reading. This error is ignored, because the pager's status says
        // whether the pager failed or the person left it early.
        try? pager.writer.write(text)
        let status = pager.end().status
        guard ![0, interruptedStatus].contains(status) else { return }
        throw pager.failure(status)
    }

    /// Waits until the person leaves the pager.
    ///
    /// - Throws: If the pager could not be started, ended with an error, or ended before it had read everything. Ctrl-C
    ///   is no error.
    func finish() throws(CommandFailure) {
        let (status, failure) = end()
        guard [0, Self.interruptedStatus].contains(status) else { throw self.failure(status) }
        if let failure { throw failure }
    }

    /// Writes the remaining text, and returns how the pager ended.
    ///
    /// - Returns: The status as a shell counts it (128 plus the signal that ended the pager), and the reason if the
    ///   text could not be written.
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

    /// Starts the pager with a shell, because the command may have options. In the pager, signals have their default
    /// effects.
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
        // With these options, which git(1) also uses, `less` ends if everything fits, keeps colours, and leaves the
        // text on the screen. It stores no search history, because search terms are private.
        let line = "export LESS=\"${LESS-FRX}\" LESSHISTFILE=\"${LESSHISTFILE--}\"; \(command)"
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/sh"), strdup("-c"), strdup(line), nil]
        defer { arguments.forEach { free($0) } }
        return (posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, environ), process)
    }

    /// True if this program runs with the rights of another user: set-user-ID, or as root by sudo(8). The permission to
    /// run this program is no permission to run a shell, which a pager would offer.
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
