import Glibc

/// PostgreSQL on a Unix socket with its default durability (`fsync`, `synchronous_commit`), driven by pgbench.
final class PostgresPeer {
    private static let programDirectories = ["/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/17/bin"]
    private let scratch: ScratchDirectory
    private let directory: String
    private let pgbench: String
    private let process: ChildProcess
    let version: String

    init(scratch: ScratchDirectory, conversations: Int, messages: Int) throws(BenchError) {
        self.scratch = scratch
        let account = try Self.account()
        let initdb = try Self.program("initdb")
        let postgres = try Self.program("postgres")
        pgbench = try Self.program("pgbench")
        directory = try scratch.makeDirectory("postgresql", mode: 0o755, owner: account)
        let prefix = Self.becoming(account)
        version =
            try ChildProcess.run([postgres, "--version"], outputPath: scratch.file("postgresql-version"))
            .split(separator: " ").dropFirst(2).first.map(String.init) ?? "unknown"
        _ = try ChildProcess.run(
            prefix + [initdb, "-D", directory + "/data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"],
            outputPath: scratch.file("initdb-log"))
        process = try ChildProcess(
            prefix + [
                postgres, "-D", directory + "/data", "-k", directory, "-h", "", "-c", "fsync=on", "-c",
                "synchronous_commit=on", "-c", "max_connections=200", "-c", "max_wal_size=4GB", "-c",
                "log_min_messages=warning",
            ], outputPath: scratch.file("postgresql-log"), stopSignal: SIGINT)
        try waitUntilReady()
        try execute(PostgresSchema.tables(conversations: conversations, messages: messages))
        try TextFile.write(PostgresSchema.save(conversations: conversations), to: scratch.file("save.sql"))
        try TextFile.write(PostgresSchema.list(conversations: conversations), to: scratch.file("list.sql"))
    }

    /// Saves per second.
    func saves(clients: Int, seconds: Double) throws(BenchError) -> Double {
        let output = try run(script: "save.sql", clients: clients, seconds: seconds, logPrefix: nil)
        for line in output.split(separator: "\n") where line.hasPrefix("tps = ") {
            if let rate = line.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) }) {
                return rate
            }
        }
        throw BenchError("pgbench wrote something unexpected: \(output.suffix(300))")
    }

    /// Median latency of a list of 100, in microseconds.
    func listMedianMicroseconds(seconds: Double) throws(BenchError) -> Double {
        let prefix = scratch.file("pgbench-list")
        let output = try run(script: "list.sql", clients: 1, seconds: seconds, logPrefix: prefix)
        guard let processID = Self.logFile(prefix: prefix, in: scratch.path) else {
            throw BenchError("pgbench wrote no log: \(output.suffix(300))")
        }
        // client, transaction, latency in µs, …
        let latencies = try TextFile.read(processID).split(separator: "\n").compactMap { line in
            line.split(separator: " ").dropFirst(2).first.flatMap { Double($0) }
        }
        unlink(processID)
        guard !latencies.isEmpty else {
            throw BenchError("pgbench's log is empty")
        }
        return latencies.median
    }

    private func run(script: String, clients: Int, seconds: Double, logPrefix: String?) throws(BenchError) -> String {
        var arguments = [
            pgbench, "-h", directory, "-U", "postgres", "-n", "-M", "prepared", "-c", "\(clients)", "-j",
            "\(min(clients, 2))", "-T", "\(max(1, Int(seconds.rounded())))", "-f", scratch.file(script),
        ]
        if let logPrefix {
            arguments += ["--log", "--log-prefix", logPrefix]
        }
        return try ChildProcess.run(arguments + ["postgres"], outputPath: scratch.file("pgbench-output"))
    }

    private func execute(_ statements: String) throws(BenchError) {
        let path = scratch.file("tables.sql")
        try TextFile.write(statements, to: path)
        let psql = try Self.program("psql")
        _ = try ChildProcess.run(
            [psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", directory, "-U", "postgres", "-f", path, "postgres"],
            outputPath: scratch.file("psql-output"))
    }

    private func waitUntilReady() throws(BenchError) {
        let psql = try Self.program("psql")
        let arguments = [psql, "-X", "-q", "-h", directory, "-U", "postgres", "-c", "SELECT 1", "postgres"]
        for _ in 0..<300 {
            try process.requireRunning()
            if (try? ChildProcess.run(arguments, outputPath: scratch.file("psql-output"))) != nil {
                return
            }
            pause(milliseconds: 100)
        }
        throw BenchError("PostgreSQL is not ready after 30 s")
    }

    private static func program(_ name: String) throws(BenchError) -> String {
        try Programs.require(
            name, at: programDirectories.map { "\($0)/\(name)" } + [name],
            package: "postgresql-15 postgresql-contrib")
    }

    /// PostgreSQL refuses to run as root.
    private static func account() throws(BenchError) -> Account? {
        guard geteuid() == 0 else {
            return nil
        }
        guard let account = Account.named("postgres") else {
            throw BenchError("there is no user postgres; hint: apt-get install postgresql-15, or `make compare`")
        }
        return account
    }

    private static func becoming(_ account: Account?) -> [String] {
        guard let account else {
            return []
        }
        return ["setpriv", "--reuid=\(account.user)", "--regid=\(account.group)", "--clear-groups", "--"]
    }

    /// pgbench adds its process id to the prefix.
    private static func logFile(prefix: String, in directory: String) -> String? {
        guard let stream = opendir(directory) else {
            return nil
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let path =
                directory + "/"
                + withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
            if path.hasPrefix(prefix + ".") {
                return path
            }
        }
        return nil
    }

    func stop() {
        process.stop()
    }

    deinit {
        stop()
    }
}
