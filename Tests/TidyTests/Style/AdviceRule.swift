/// The rule that a proposed command is harmless: it accepts no loss, deletes nothing and overwrites nothing. It applies
/// to `doctor`, hints of errors, log lines and docs/alarms.md. A command that is not in a list here is a finding.
enum AdviceRule {
    /// Commands of `ghoststorectl` that only read, only add, or open the store without losing anything.
    private static let harmless: Set<String> = [
        "help", "status", "stats", "doctor", "check", "metrics", "top", "clients", "init", "unlock", "lock",
        "keys list", "keys add", "backup list", "backup create", "backup verify", "search rebuild", "files mkdir",
        "backup upload", "files stat", "files ls", "files tree", "drafts list", "conversations list", "contacts list",
        "messages list",
        "search messages", "search contacts", "search conversations", "changes list", "logs list", "scenes get",
        "scenes list", "archive verify", "archive create", "blobs export",
        "replication status", "replication create", "replication join", "replication invite", "replication lost-edits",
    ]
    /// Options that a proposed command of `ghoststorectl` may have.
    private static let harmlessOptions: Set<String> = [
        "--key-file", "--new-key-file", "--new-credential", "--socket", "--config", "--name", "--parents", "--message",
        "--version", "--help", "--all", "--format", "--code-output", "--new-recovery-code", "--require-open",
    ]
    /// Options that may cause a loss. They are not allowed in any hint. `--yes` is allowed, because it only confirms
    /// what the user has asked for.
    private static let harmfulOptions = ["--accept-loss", "--force", "--replace-existing", "--allow-empty"]

    /// System programs with their allowed arguments. `nonisolated(unsafe)` because a `Regex` is not Sendable; the array
    /// is never changed.
    nonisolated(unsafe) private static let others: [Regex<Substring>] = [
        /systemctl(?: --user)? (?:status|start|restart|stop|reload|enable|daemon-reload|reset-failed|edit|show)\b.*/,
        /journalctl(?: --user)?(?: .*)?/, /systemctl --user/, /chmod (?:0?[67]00|go-w|o-w)(?: \S+)?/,
        /gpasswd -a \S+ \S+/, /apt install \S+/,
        /df -h(?: \S+)?/, /ls -ld? \S+/, /namei -l \S+/, /man \S+/, /date/, /newgrp \S+/, /ulimit -l \d+/,
        /timedatectl (?:set-ntp true|show .*)/, /cp -a \S+ \S+\.\$\(date \+%s\)/, /cp -n --preserve=mode(?: \S+)+/,
        /mkdir -p -m 0700 \S+/, /env/, /grep .*/, /getent group \S+/, /ghoststored --(?:version|check-config|help)/,
        /ghoststore-sync --help/, /\$\{EDITOR:-vi\} \S+/, /sudo -H/, /openssl pkey -in \S+ -pubout -out \S+/,
    ]
    /// Words that begin a command at the beginning of a text or after a separator.
    private static let programs = [
        "ghoststorectl", "ghoststore-sync", "systemctl", "journalctl", "chmod", "chown", "gpasswd", "usermod", "apt",
        "apt-get", "dpkg", "rm", "rmdir", "mv", "cp", "dd", "ln", "df", "ls", "namei", "man", "newgrp", "ulimit",
        "timedatectl", "mkdir", "getent", "kill", "pkill", "killall", "truncate", "shred", "umount", "tee", "sed",
        "ghoststored", "${EDITOR:-vi}", "openssl", "install", "unlink", "mkfs", "fsck", "sqlite3",
    ]
    /// Programs whose names are common English words. Such a word begins a command only in `doctor` and in a code span.
    private static let everyday: Set<String> = ["install", "man", "kill", "openssl"]

    /// Returns the proposed commands of a source file that are not known to be harmless.
    static func findings(_ source: SwiftSource, commands: Set<String>) -> [Finding] {
        let isDoctor = source.path.contains("/Doctor/")
        return texts(source).flatMap { line, text in
            let proposed = proposals(text, commands: commands, begins: isDoctor ? Set(programs) : plainPrograms)
            let isHint = isDoctor || text.contains("hint: ")
            return (proposed.filter { !isHarmless($0) } + (isHint ? harmful(in: text) : [])).map {
                Finding(path: source.path, line: line, message: "'\($0)' is proposed, and may do harm")
            }
        }
    }

    /// Returns the proposed commands of a document that are not known to be harmless. A document proposes commands in
    /// code spans. In a table that has a column "answer", only this column counts.
    static func findings(document: String, path: String, commands: Set<String>) -> [Finding] {
        var answer: Int?
        return document.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingPrefix(" ") }
            answer = line.hasPrefix("|") ? cells.firstIndex { $0.hasPrefix("answer") } ?? answer : nil
            let text = answer.flatMap { $0 < cells.count ? cells[$0] : nil } ?? line
            let proposed = text.matches(of: /`([^`]+)`/).flatMap {
                proposals("'\($0.1)'", commands: commands, begins: Set(programs))
            }
            let options = answer == nil ? [] : harmful(in: String(text))
            return (proposed.filter { !isHarmless($0) } + options).map {
                Finding(path: path, line: index + 1, message: "'\($0)' is proposed, and may do harm")
            }
        }
    }

    /// Returns the commands that a text proposes, split at separators and without `sudo`.
    ///
    /// - Parameter commands: the commands of `ghoststorectl`, such as `status` and `files rm`.
    static func proposals(_ text: String, commands: Set<String>, begins: Set<String> = plainPrograms) -> [String] {
        let text = filled(text)
        let parts = text.split { ";&|`'\"".contains($0) }.flatMap { $0.split(separator: /(?:hint: |: |, )(?=\S)/) }
        return parts.compactMap { part -> String? in
            var words = part.split(separator: " ").map(String.init)
            while words.first == "sudo", words.count > 1, words[1] != "-H" { words.removeFirst() }
            if let start = words.firstIndex(of: "ghoststorectl"), start + 1 < words.count { words.removeFirst(start) }
            guard let first = words.first, words.count > 1 else { return nil }
            let isOption = words[1].hasPrefix("-")
            if first.hasPrefix("ghoststore") {
                guard isOption || first == "ghoststorectl" && commands.contains(words[1]) else { return nil }
                return words.joined(separator: " ")
            }
            guard !begins.contains(first) else { return words.joined(separator: " ") }
            // Messages quote commands of `ghoststorectl` without its name: 'files rm'.
            let isQuoted = text.contains("'\(part)'") || text.contains("`\(part)`")
            return isQuoted && commands.contains("\(first) \(words[1])")
                ? "ghoststorectl " + words.joined(separator: " ") : nil
        }
    }

    static func isHarmless(_ command: String) -> Bool {
        var words = command.split(separator: " ").map(String.init)
        guard words.first == "ghoststorectl" else { return others.contains { command.wholeMatch(of: $0) != nil } }
        words.removeFirst()
        let path = words.prefix { !$0.hasPrefix("-") }
        let isKnown =
            harmless.contains(path.prefix(1).joined()) || harmless.contains(path.prefix(2).joined(separator: " "))
        let options = words.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
        return (isKnown || path.isEmpty) && options.allSatisfy(harmlessOptions.contains)
    }

    /// Returns the command names of `ghoststorectl`, alone and in all pairs such as `files rm`, including pairs that do
    /// not exist.
    static func commands(_ sources: [SwiftSource]) -> Set<String> {
        let groups = sources.filter { $0.path.hasPrefix("Sources/ghoststorectl/Commands/") }
            .flatMap { $0.lines }.compactMap { $0.firstMatch(of: /commandName: "([a-z-]+)"/).map { String($0.1) } }
        return Set(groups + groups.flatMap { group in groups.map { "\(group) \($0)" } })
    }

    static let plainPrograms = Set(programs).subtracting(everyday)

    private static func harmful(in text: String) -> [String] {
        harmfulOptions.filter { text.contains($0) }
    }

    /// Replaces each interpolated value by one word: by the program's name if the value names `systemctl` or
    /// `journalctl`, otherwise by X. A value that is an option is removed.
    private static func filled(_ text: String) -> String {
        text.replacing(/\\\(([^()]|\([^()]*\))*\)/) { match in
            for name in ["systemctl", "journalctl"] where match.output.0.hasSuffix("\(name))") { return name }
            return match.output.0.hasSuffix("ption)") ? "" : "X"
        }
    }

    /// Returns the texts of a file's literals. Help texts are left out, because they describe commands and propose
    /// none.
    private static func texts(_ source: SwiftSource) -> [(line: Int, text: String)] {
        var isHelp = false
        var isBlock = false
        var found: [(Int, String)] = []
        for (index, line) in source.lines.enumerated() {
            let code = source.codeLines[index].trimmingPrefix(" ")
            let goesOn = code.isEmpty || code.hasPrefix("\"") || code.hasPrefix("+ \"") || code.hasPrefix("valueName")
            if ["help:", "Help(", "abstract:", "discussion:", "usage:"].contains(where: code.contains) {
                isHelp = true
            } else if !goesOn, !isBlock {
                isHelp = false
            }
            let isEdge = code.contains("\"\"\"")
            let isInside = isBlock && !isEdge
            if isEdge { isBlock.toggle() }
            guard !isHelp else { continue }
            if isInside {
                found.append((index + 1, line))
            } else if code.contains("\"") {
                found += line.matches(of: /"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*)"/).map {
                    (index + 1, String($0.output.1))
                }
            }
        }
        return found
    }
}
