import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum LogCalls {
    static let openLog = CallRule(.write(.logs), .write, names: .itself) {
        (request: WireOpenLogRequest, _) throws(StoreError) in
        let log = try LogName(wire: request.name)
        let asked = LogConfiguration(maximumBytes: request.maximumBytes, overwritesOldest: request.overwritesOldest)
        return .mutation(.openLog(log, asked, isReplicated: request.isReplicated), of: log.text)
    }

    /// Returns the answer about an append log that was found or created, without the fields that the caller may not
    /// read.
    static func opened(_ log: Log, isNew: Bool, isReplayed: Bool, for scope: AnswerScope) -> Answer {
        .result(
            .openLog(
                .with {
                    $0.log = WireLog(log, for: scope)
                    $0.isNew = isNew
                    $0.isReplayed = isReplayed
                }))
    }

    static let appendLog = CallRule(
        .write(.logs), .write, bytesMax: CallLimits.appendBytesMax, entriesMax: 2 * EngineLimits.requestEntitiesMax,
        names: .itself
    ) { (request: WireAppendLogRequest, _) throws(StoreError) in
        let log = try LogName(wire: request.name)
        let expected = LogConfiguration(maximumBytes: request.maximumBytes, overwritesOldest: request.overwritesOldest)
        let append = LogAppend(
            log: log, expected: request.maximumBytes == 0 ? nil : expected,
            messages: request.messages.map { [UInt8]($0) },
            metadata: try request.metadata.map { (metadata) throws(StoreError) in
                try Metadata(wire: metadata).ifSet
            })
        return .mutation(.appendLog(append), of: log.text)
    }

    static let readLog = CallRule(.read(.logs), .read, names: .itself) {
        (request: WireReadLogRequest, _) throws(StoreError) in
        let milliseconds = try request.waitMilliseconds.asWait()
        let query = LogQuery(
            log: try LogName(wire: request.name),
            createdRevision: request.createdRevision == 0 ? nil : request.createdRevision,
            afterSequence: request.afterSequence,
            limit: try request.limit.asLimit(),
            ofAllDevices: try request.allDevices ? LogPlace(wire: [UInt8](request.place)) : nil)
        guard milliseconds == 0 else { return .wait(.log(query), milliseconds: milliseconds) }
        return .read(isLong: true, of: query.log.text) { (reader, _) throws(StoreError) in
            .logEntries(try reader.logEntries(query))
        }
    }

    static let getLog = CallRule(.read(.logs), .read, names: .itself) {
        (request: WireGetLogRequest, _) throws(StoreError) in
        let name = try LogName(wire: request.name)
        return .read(isLong: false, of: name.text) { (reader, scope) throws(StoreError) in
            try reader.log(name).map { .result(.log(WireLog($0, for: scope))) }
                ?? .failure(.logNotFound, "there is no such log")
        }
    }

    static let listLogs = CallRule(.read(.logs), .read) {
        (request: WireListLogsRequest, _) throws(StoreError) in
        let limit = try request.limit.asLimit()
        let cursor = request.cursor.ifGiven
        return .read(isLong: true) { (reader, _) throws(StoreError) in
            let page = try reader.logs(limit: limit, cursor: cursor)
            return .result(
                .logs(
                    .with {
                        $0.logs = page.logs.map { WireLog($0, for: .all) }
                        $0.nextCursor = page.nextCursor ?? ""
                    }))
        }
    }

    static let deleteLog = CallRule(.write(.logs), .write, names: .itself) {
        (request: WireDeleteLogRequest, _) throws(StoreError) in
        let log = try LogName(wire: request.name)
        return .mutation(.deleteLog(log), of: log.text)
    }
}

extension LogPlace {
    /// Creates the position from its bytes; no bytes stand for the start of the append log.
    fileprivate init(wire bytes: [UInt8]) throws(StoreError) {
        self = bytes.isEmpty ? .start : try LogPlace(bytes)
    }
}

extension WireLog {
    /// Creates the log for the caller. Without the right to read the log, the caller receives only the fields that its
    /// client needs to open it.
    init(_ info: Log, for scope: AnswerScope) {
        guard !scope.contains(.log) else {
            self.init(info)
            return
        }
        self.init()
        name = info.name.text
        maximumBytes = info.configuration.maximumBytes
        overwritesOldest = info.configuration.overwritesOldest
        isReplicated = info.isReplicated
    }
}
