import Glibc

/// redis-server with `appendfsync always`, which answers a write only after it is on disk. redis-benchmark drives it.
final class RedisPeer {
    /// Approximately the size of one saved message.
    private static let valueBytes = 200
    private let socketPath: String
    private let benchmark: String
    private let outputPath: String
    private let process: ChildProcess
    let version: String

    init(scratch: ScratchDirectory) throws(BenchError) {
        let server = try Programs.require("redis-server", at: ["redis-server"], package: "redis-server")
        benchmark = try Programs.require("redis-benchmark", at: ["redis-benchmark"], package: "redis-server")
        let directory = try scratch.makeDirectory("redis")
        socketPath = directory + "/socket"
        outputPath = directory + "/benchmark.csv"
        version = Self.version(try ChildProcess.run([server, "--version"], outputPath: directory + "/version"))
        process = try ChildProcess(
            [
                server, "--port", "0", "--unixsocket", socketPath, "--dir", directory, "--appendonly", "yes",
                "--appendfsync", "always", "--save", "", "--auto-aof-rewrite-percentage", "0", "--daemonize", "no",
            ], outputPath: directory + "/log")
        while access(socketPath, F_OK) != 0 {
            try process.requireRunning()
            pause(milliseconds: 5)
        }
    }

    /// Returns how many times per second redis-benchmark sets a key to a value of `valueBytes` bytes. A short first run
    /// determines how many requests fill the time.
    func sets(clients: Int, seconds: Double) throws(BenchError) -> Double {
        let value = String(repeating: "x", count: Self.valueBytes)
        return try rate(["SET", "key:__rand_int__", value], clients: clients, seconds: seconds)
    }

    /// Returns the number of appends per second to one stream that keeps at most `messagesMax` messages.
    func appends(messagesMax: Int, messageBytes: Int, clients: Int, seconds: Double) throws(BenchError) -> Double {
        let value = String(repeating: "x", count: messageBytes)
        return try rate(
            ["XADD", "stream", "MAXLEN", "\(messagesMax)", "*", "data", value], clients: clients, seconds: seconds)
    }

    /// Creates every hash, so that each request of `hashGets` finds a value.
    func make(_ hashes: RedisHashes) throws(BenchError) {
        // redis-benchmark replaces `__rand_int__` with 12 digits.
        let script = """
            for number = 0, \(hashes.count - 1) do \
            redis.call('HSET', string.format('scene:%012d', number), ARGV[1], ARGV[2]) \
            end
            """
        _ = try run(["EVAL", script, "0", hashes.field, hashes.value], clients: 1, requestCount: 1)
    }

    /// Returns how many times per second redis-benchmark sets the field of a random hash.
    func hashSets(_ hashes: RedisHashes, clients: Int, seconds: Double) throws(BenchError) -> Double {
        try rate(
            ["HSET", "scene:__rand_int__", hashes.field, hashes.value], keyCount: hashes.count, clients: clients,
            seconds: seconds)
    }

    /// Returns how many times per second redis-benchmark gets the field of a random hash.
    func hashGets(_ hashes: RedisHashes, clients: Int, seconds: Double) throws(BenchError) -> Double {
        try rate(
            ["HGET", "scene:__rand_int__", hashes.field], keyCount: hashes.count, clients: clients, seconds: seconds)
    }

    /// - Parameter keyCount: how many different numbers replace `__rand_int__`.
    private func rate(
        _ command: [String], keyCount: Int = 10_000_000, clients: Int, seconds: Double
    ) throws(BenchError) -> Double {
        let trial = try run(command, keyCount: keyCount, clients: clients, requestCount: max(500, 200 * clients))
        return try run(
            command, keyCount: keyCount, clients: clients, requestCount: max(1_000, Int(trial * seconds)))
    }

    private func run(
        _ command: [String], keyCount: Int = 1, clients: Int, requestCount: Int
    ) throws(BenchError) -> Double {
        let output = try ChildProcess.run(
            [
                benchmark, "-s", socketPath, "-c", "\(clients)", "-n", "\(requestCount)", "-r", "\(keyCount)", "--csv",
            ] + command, outputPath: outputPath)
        // The output has a header line, and then `"SET key:__rand_int__ xxx","5012.53","0.197",…`.
        guard let line = output.split(separator: "\n").last(where: { $0.hasPrefix("\"\(command[0])") }),
            let rate = line.split(separator: "\"").filter({ $0 != "," }).dropFirst().first.flatMap({ Double($0) })
        else { throw BenchError("redis-benchmark wrote something unexpected: \(output.suffix(300))") }
        return rate
    }

    private static func version(_ text: String) -> String {
        text.split(separator: " ").first { $0.hasPrefix("v=") }.map { String($0.dropFirst(2)) } ?? "unknown"
    }

    func stop() {
        process.stop()
    }

    deinit {
        stop()
    }
}

/// Hashes with one field each.
struct RedisHashes {
    let count: Int
    let field: String
    let valueBytes: Int

    var value: String { String(repeating: "x", count: valueBytes) }
}
