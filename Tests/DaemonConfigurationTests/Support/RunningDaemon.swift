import Glibc
import TestBasics

/// A daemon whose state directory, socket and service manager are all in one temporary folder.
final class RunningDaemon {
    let folder: TemporaryDirectory
    let program: Program
    let receiver: NotificationReceiver
    var socketPath: String { folder.file("socket") }
    private var hasEnded = false

    init(
        _ arguments: [String] = ["--create"], environment: [String: String] = [:], makesKey: Bool = true,
        in folder: TemporaryDirectory? = nil
    ) throws {
        let folder = try folder ?? TemporaryDirectory()
        self.folder = folder
        unlink(folder.file("notify"))
        receiver = try NotificationReceiver(folder.file("notify"))
        if makesKey && access(folder.file("key"), F_OK) != 0 {
            try folder.write(String(repeating: "k", count: 32), to: "key")
        }
        program = try Program.start(
            Program.daemonPath,
            [
                "--state-directory", folder.file("state"), "--socket", folder.file("socket"), "--key-file",
                folder.file("key"),
            ] + arguments,
            environment: environment.merging(["NOTIFY_SOCKET": folder.file("notify")]) { $1 }, in: folder)
    }

    deinit {
        if !hasEnded {
            program.signal(SIGKILL)
            _ = try? program.wait()
        }
    }

    /// Waits for a message that contains `text`. Returns `nil` if no such message arrives.
    func message(with text: String) -> String? {
        while let message = receiver.next() {
            if message.contains(text) {
                return message
            }
        }
        return nil
    }

    func wait() throws -> Int32 {
        hasEnded = true
        return try program.wait()
    }

    func stop() throws -> Int32 {
        program.signal(SIGTERM)
        return try wait()
    }
}
