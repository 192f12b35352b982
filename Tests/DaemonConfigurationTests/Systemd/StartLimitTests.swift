import Testing

/// Checks the restart limits in the units: occasional manual restarts must never make systemd stop the daemon for good.
@Suite struct StartLimitTests {
    static let services = ["ghoststored.service", "user/ghoststored.service"]
    static let sockets = ["ghoststored.socket", "user/ghoststored.socket"]
    private static let minutes = 10

    /// The times of restarts in seconds: every minute has four of them in a row.
    private static let restartsByHand = (0..<minutes).flatMap { minute in (0..<4).map { Double(60 * minute + $0) } }

    @Test(arguments: services + sockets)
    func `four manual restarts a minute are always possible`(name: String) throws {
        let limit = try StartLimit(UnitFile(name))
        #expect(limit.startsMade(Self.restartsByHand) == Self.restartsByHand.count)
        #expect(limit.startsMade((0..<20).map { Double($0) / 4 }) == 20)
    }

    @Test(arguments: services)
    func `three crashes a minute are always followed by a restart, with manual restarts too`(name: String) throws {
        let crashes = (0..<Self.minutes).flatMap { minute in [7, 11, 15].map { Double(60 * minute + $0) } }
        let starts = Self.restartsByHand + crashes
        #expect(try StartLimit(UnitFile(name)).startsMade(starts) == starts.count)
    }

    /// systemd keeps restarting the daemon however long the daemon fails, so that it runs again after the cause of the
    /// failure is removed.
    @Test(arguments: services)
    func `a daemon that fails at once is restarted without end, at most 20 times a minute`(name: String) throws {
        let unit = try UnitFile(name)
        let pause = Double(try unit.number("RestartSec"))
        let starts = Array(stride(from: 0, to: Double(60 * Self.minutes), by: pause))
        #expect(starts.count <= 20 * Self.minutes)
        let limit = try StartLimit(unit)
        #expect(limit.startsMade(starts) == starts.count)
        #expect(limit.startsMade(starts + Self.restartsByHand) == starts.count + Self.restartsByHand.count)
    }

    /// A client waits at the socket, so systemd starts the daemon again as soon as it has ended.
    @Test(arguments: services)
    func `restarts stop if they cannot help`(name: String) throws {
        let unit = try UnitFile(name)
        let starts = (0..<1_000).map { Double($0) / 50 }
        #expect(try StartLimit(unit).startsMade(starts) <= 30)
        #expect(unit.value(of: "RestartPreventExitStatus") == "64 69 73 78")
        #expect(unit.value(of: "Restart") == "on-failure")
    }

    @Test func `the documentation lists the exit codes after which there is no restart`() throws {
        let text = String(decoding: try repositoryFile("docs/operations.md"), as: UTF8.self)
        let codes = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap { line -> String? in
            let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
            guard cells.count == 3, Int(cells[0].prefix { $0.isNumber }) != nil, cells[2].hasPrefix("no") else {
                return nil
            }
            return String(cells[0].prefix { $0.isNumber })
        }
        for service in Self.services {
            #expect(try UnitFile(service).value(of: "RestartPreventExitStatus") == codes.joined(separator: " "))
        }
    }
}
