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

    /// Returns the number of saves per second.
    func saves(clients: Int, seconds: Double) throws(BenchError) -> Double {
        let output = try run(script: "save.sql", clients: clients, seconds: seconds, logPrefix: nil)
        for line in output.split(separator: "\n") where line.hasPrefix("tps = ") {
            if let rate = line.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) }) {
                return rate
            }
        }
        throw BenchError("pgbench wrote something unexpected: \(output.suffix(300))")
    }

    /// Returns the median latency of a list of 100 messages, in microseconds.
    func listMedianMicroseconds(seconds: Double) throws(BenchError) -> Double {
        let prefix = scratch.file("pgbench-list")
        let output = try run(script: "list.sql", clients: 1, seconds: seconds, logPrefix: prefix)
        guard let processID = Self.logFile(prefix: prefix, in: scratch.path) else {
            throw BenchError("pgbench wrote no log: \(output.suffix(300))")
        }
        // A line of pgbench's log has the client, the transaction, the latency in µs and further fields.
        let latencies = try TextFile.read(processID).split(separator: "\n").compactMap { line in
            line.split(separator: " ").dropFirst(2).first.flatMap { Double($0) }
        }
        unlink(processID)
        guard !latencies.isEmpty else { throw BenchError("pgbench's log is empty") }
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

    /// Returns the account under which PostgreSQL runs, or `nil` for the account of this program. PostgreSQL needs
    /// another account if this program runs as root, because PostgreSQL refuses to run as root.
    private static func account() throws(BenchError) -> Account? {
        guard geteuid() == 0 else { return nil }
        guard let account = Account.named("postgres") else {
            throw BenchError("there is no user postgres; hint: apt-get install postgresql-15, or `make compare`")
        }
        return account
    }

    private static func becoming(_ account: Account?) -> [String] {
        guard let account else { return [] }
        return ["setpriv", "--reuid=\(account.user)", "--regid=\(account.group)", "--clear-groups", "--"]
    }

    /// Returns pgbench's log file. pgbench adds its process id to the prefix.
    private static func logFile(prefix: String, in directory: String) -> String? {
        guard let stream = opendir(directory) else { return nil }
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

/// The tables and scripts with which PostgreSQL does the same work as one save and one list of the daemon.
enum PostgresSchema {
    static func tables(conversations: Int, messages: Int) -> String {
        """
        CREATE TABLE conversations (
            number integer PRIMARY KEY,
            session_id text NOT NULL UNIQUE,
            message_count bigint NOT NULL DEFAULT 0,
            unread_count bigint NOT NULL DEFAULT 0,
            last_message_at bigint NOT NULL DEFAULT 0,
            last_activity_at bigint NOT NULL DEFAULT 0
        );
        CREATE INDEX conversations_by_activity ON conversations (last_activity_at);
        CREATE SEQUENCE message_number;
        CREATE TABLE messages (
            id text PRIMARY KEY,
            conversation integer NOT NULL REFERENCES conversations (number),
            timestamp bigint NOT NULL,
            text text NOT NULL,
            sender text NOT NULL,
            recipient text NOT NULL,
            status smallint NOT NULL,
            is_outgoing boolean NOT NULL,
            is_read boolean NOT NULL,
            attachment_url text,
            attachment_type text,
            reply_to text,
            created_at bigint NOT NULL,
            edited_at bigint
        );
        CREATE INDEX messages_by_conversation ON messages (conversation, timestamp, id);
        CREATE TABLE sample_texts (number integer PRIMARY KEY, text text NOT NULL);
        INSERT INTO sample_texts VALUES \(sampleTexts);
        INSERT INTO conversations (number, session_id)
            SELECT n, 'bench-01234567-' || lpad(n::text, 7, '0') FROM generate_series(0, \(conversations + 255)) AS n;
        INSERT INTO messages
            SELECT \(messageID("nextval('message_number')")), n % \(conversations), 1760000000000000 + n, s.text,
                'bench-01234567-' || lpad((n % \(conversations))::text, 7, '0'), 'bench-own-session', 1, n % 2 = 0,
                false, NULL, NULL, NULL, 1760000000000000 + n, NULL
            FROM generate_series(0, \(messages - 1)) AS n
            JOIN sample_texts AS s ON s.number = n % \(SampleTexts.all.count) ORDER BY n;
        VACUUM ANALYZE;
        CHECKPOINT;

        """
    }

    /// Returns the script of a save. It inserts a message and updates its conversation in one statement, and so in one
    /// transaction. Each client has its own conversation.
    static func save(conversations: Int) -> String {
        """
        \\set conversation \(conversations) + :client_id
        \\set now random(1770000000000000, 1780000000000000)
        WITH touched AS (
            UPDATE conversations SET message_count = message_count + 1, last_message_at = :now, last_activity_at = :now
            WHERE number = :conversation RETURNING number
        )
        INSERT INTO messages
            SELECT \(messageID("nextval('message_number')")), touched.number, :now, '\(SampleTexts.all[1])',
                'bench-own-session', 'bench-01234567-0000000', 1, true, false, NULL, NULL, NULL, :now, NULL
            FROM touched;

        """
    }

    static func list(conversations: Int) -> String {
        """
        \\set conversation random(0, \(conversations - 1))
        SELECT * FROM messages WHERE conversation = :conversation ORDER BY timestamp DESC, id DESC LIMIT 100;

        """
    }

    /// Returns an SQL expression for an id of 36 characters that sorts by time, like a UUIDv7.
    private static func messageID(_ number: String) -> String {
        "'019a0000-0000-7000-8000-' || lpad(to_hex(\(number)), 12, '0')"
    }

    private static var sampleTexts: String {
        SampleTexts.all.enumerated().map { number, text in "(\(number), '\(text)')" }.joined(separator: ", ")
    }
}
