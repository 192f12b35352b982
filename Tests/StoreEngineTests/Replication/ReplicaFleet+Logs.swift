import StoreBasics

@testable import StoreEngine

extension ReplicaFleet {
    func logs(_ index: Int) throws -> [String] {
        try Self.logs(of: devices[index].engine, device: devices[index].number)
    }

    /// Returns the entries of all logs in a device's order, each with the device that appended it.
    static func logs(of engine: StoreEngine, device: UInt64) throws -> [String] {
        var lines: [String] = []
        for log in try engine.makeReader().logs(limit: 100, cursor: nil).logs where log.isReplicated {
            lines.append("log \(log.name.text)")
            lines += try entries(of: engine, log.name).map { entry in
                let time = entry.appendedAt?.microseconds ?? 0
                let content = "\(entry.data) \(entry.metadata?.bytes ?? [])"
                return "\(log.name.text) \(entry.device ?? device) \(entry.sequence) \(time) \(content)"
            }
        }
        return lines
    }

    /// Returns the entries of all devices in a log, read in pages.
    func entries(_ index: Int, _ name: LogName, after place: LogPlace = .start) throws -> [LogEntry] {
        try Self.entries(of: devices[index].engine, name, after: place)
    }

    private static func entries(
        of engine: StoreEngine, _ name: LogName, after place: LogPlace = .start
    ) throws -> [LogEntry] {
        var entries: [LogEntry] = []
        var place = place
        while true {
            let page = try page(of: engine, name, after: place, limit: 7)
            entries += page.entries
            guard page.hasMore, let next = page.place else { return entries }
            place = next
        }
    }

    func page(_ index: Int, _ name: LogName, after place: LogPlace = .start, limit: Int = 100) throws -> LogPage {
        try Self.page(of: devices[index].engine, name, after: place, limit: limit)
    }

    private static func page(
        of engine: StoreEngine, _ name: LogName, after place: LogPlace, limit: Int
    ) throws -> LogPage {
        try engine.makeReader().logEntries(LogQuery(log: name, limit: limit, ofAllDevices: place))
    }
}
