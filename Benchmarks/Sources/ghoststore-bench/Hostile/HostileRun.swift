import Glibc
import StoreBasics

/// One attack on a fresh daemon.
struct HostileRun {
    static let readyText = "attacking"
    /// The time limit for the preparation of an attack.
    private static let preparationSeconds = 300.0

    let attack: Attack
    let program: String
    let limit: MemoryLimit?
    let seconds: Double

    func measure(in directory: String) throws(BenchError) -> HostileRow {
        let scratch = try ScratchDirectory.make(in: directory)
        let peer = try DaemonPeer(program: program, scratch: scratch, name: attack.rawValue)
        try peer.start()
        defer { peer.stop() }
        let isMemoryHeld = limit?.hold(peer.processID) ?? false
        chmod(scratch.file(attack.rawValue), 0o755)
        chmod(peer.socketPath, 0o666)
        let victim = HostileVictim(socketPath: peer.socketPath)
        _ = try victim.use(seconds: min(1, seconds))
        let quiet = try victim.use(seconds: seconds)
        let attackers = try startAttackers(on: peer, scratch)
        defer { attackers.forEach { $0.stop() } }
        let attacked = try victim.use(seconds: seconds)
        return HostileRow(
            attack: attack, quiet: quiet, attacked: attacked,
            largestMebibytes: try? ProcessMemory.largestMebibytes(processID: peer.processID),
            isMemoryHeld: isMemoryHeld)
    }

    /// Starts the attackers, and returns once all of them attack.
    private func startAttackers(
        on peer: DaemonPeer, _ scratch: ScratchDirectory
    ) throws(BenchError) -> [ChildProcess] {
        let arguments = [
            try Programs.own(), "hostile-caller", attack.rawValue, "--socket",
            peer.socketPath, "--seconds", "\(seconds + 2)",
        ]
        var attackers: [ChildProcess] = []
        for number in 0..<attack.processCount {
            let output = scratch.file("attacker-\(number)")
            let user = HostileUsers.attackers[number % HostileUsers.attackers.count]
            let attacker = try ChildProcess(
                arguments + (geteuid() == 0 ? ["--user", "\(user)"] : []), outputPath: output)
            attackers.append(attacker)
            try waitUntilReady(attacker, output)
        }
        return attackers
    }

    private func waitUntilReady(_ attacker: ChildProcess, _ output: String) throws(BenchError) {
        let end = MonotonicClock.nanoseconds + Self.preparationSeconds.secondsAsNanoseconds
        while !(try TextFile.read(output)).contains(Self.readyText) {
            try attacker.requireRunning()
            guard MonotonicClock.nanoseconds < end else { throw BenchError("\(attack.rawValue) is never ready") }
            pause(milliseconds: 20)
        }
    }
}

/// The measurements of the victim without and with one attack.
struct HostileRow: Codable {
    var attack: Attack
    var quiet: HostileVictim.Seen
    var attacked: HostileVictim.Seen
    /// The daemon's largest memory, or `nil` if the daemon has ended.
    var largestMebibytes: Double?
    /// True if the daemon ran with the limit `MemoryLimit.bytes`.
    var isMemoryHeld: Bool

    var line: String {
        Self.cells(self).joined(separator: "  ")
    }

    static func table(_ rows: [HostileRow]) -> String {
        let header = [
            "attack", "quiet p99", "p99", "ratio", "slowest", "requests", "errors", "lost connections", "memory",
        ]
        return TextTable.markdown([header] + rows.map(cells), rightAligned: Set(1...8))
    }

    private static func cells(_ row: HostileRow) -> [String] {
        [
            row.attack.rawValue, "\(Numbers.plain(row.quiet.p99Milliseconds)) ms",
            "\(Numbers.plain(row.attacked.p99Milliseconds)) ms",
            Numbers.plain(row.attacked.p99Milliseconds / max(row.quiet.p99Milliseconds, 0.001)),
            "\(Numbers.plain(row.attacked.slowestMilliseconds)) ms", "\(row.attacked.requests)",
            "\(row.attacked.errors)", "\(row.attacked.lostConnections)",
            (row.largestMebibytes.map { "\(Numbers.plain($0)) MiB" } ?? "daemon ended")
                + (row.isMemoryHeld ? "" : " (no limit)"),
        ]
    }
}

extension ProcessMemory {
    /// Returns the largest resident memory so far (VmHWM).
    static func largestMebibytes(processID: Int32) throws(BenchError) -> Double {
        try mebibytes("VmHWM:", processID: processID)
    }
}
