import StoreBasics

@testable import StoreEngine

extension ReplicaFleet {
    /// What a device reads of all logs, in its order: each entry with the device that has appended it.
    func logs(_ index: Int) throws -> [String] {
        var lines: [String] = []
        for log in try devices[index].engine.makeReader().logs(limit: 100, cursor: nil).logs where log.isReplicated {
            lines.append("log \(log.name.text)")
            lines += try entries(index, log.name).map { entry in
                let device = entry.device ?? devices[index].number
                let time = entry.appendedAt?.microseconds ?? 0
                return "\(log.name.text) \(device) \(entry.sequence) \(time) \(entry.data)"
            }
        }
        return lines
    }

    /// The entries of all devices, in pages.
    func entries(_ index: Int, _ name: LogName, after place: LogPlace = .start) throws -> [LogEntry] {
        var entries: [LogEntry] = []
        var place = place
        while true {
            let page = try page(index, name, after: place, limit: 7)
            entries += page.entries
            guard page.hasMore, let next = page.place else { return entries }
            place = next
        }
    }

    func page(_ index: Int, _ name: LogName, after place: LogPlace = .start, limit: Int = 100) throws -> LogPage {
        try devices[index].engine.makeReader().logEntries(LogQuery(log: name, limit: limit, ofAllDevices: place))
    }
}
