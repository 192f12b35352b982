import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum LogCalls {
    static let openLog = CallRule(.write(.logs), .write, names: .itself) {
        (request: WireOpenLogRequest, _) throws(RequestFailure) in
        let log = try LogName(wire: request.name)
        let asked = LogConfiguration(maximumBytes: request.maximumBytes, overwritesOldest: request.overwritesOldest)
        return .mutation(.openLog(log, asked, isReplicated: request.isReplicated), of: log.text)
    }

    /// What a log that was found or made is answered with.
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
        .write(.logs), .write, bytesMax: CallLimits.batchBytesMax, entriesMax: EngineLimits.requestEntitiesMax,
        names: .itself
    ) { (request: WireAppendLogRequest, _) throws(RequestFailure) in
        let log = try LogName(wire: request.name)
        let expected = LogConfiguration(maximumBytes: request.maximumBytes, overwritesOldest: request.overwritesOldest)
        let append = LogAppend(
            log: log, expected: request.maximumBytes == 0 ? nil : expected,
            messages: request.messages.map { [UInt8]($0) })
        return .mutation(.appendLog(append), of: log.text)
    }

    static let readLog = CallRule(.read(.logs), .read, names: .itself) {
        (request: WireReadLogRequest, _) throws(RequestFailure) in
        let milliseconds = try request.waitMilliseconds.asWait()
        let query = LogQuery(
            log: try LogName(wire: request.name),
            createdRevision: request.createdRevision == 0 ? nil : request.createdRevision,
            afterSequence: request.afterSequence,
            limit: try request.limit.asLimit(),
            ofAllDevices: try request.allDevices ? LogPlace(wire: [UInt8](request.place)) : nil)
        guard milliseconds == 0 else { return .wait(.log(query), milliseconds: milliseconds) }
        return .read(
            Read(isLong: true, of: query.log.text) { (reader, _) throws(StoreError) in
                .logEntries(try reader.logEntries(query))
            })
    }

    static let getLog = CallRule(.read(.logs), .read, names: .itself) {
        (request: WireGetLogRequest, _) throws(RequestFailure) in
        let name = try LogName(wire: request.name)
        return .read(
            Read(isLong: false, of: name.text) { (reader, scope) throws(StoreError) in
                try reader.log(name).map { .result(.log(WireLog($0, for: scope))) }
                    ?? .failure(.logNotFound, "there is no such log")
            })
    }

    static let listLogs = CallRule(.read(.logs), .read) {
        (request: WireListLogsRequest, _) throws(RequestFailure) in
        let limit = try request.limit.asLimit()
        let cursor = request.cursor.ifGiven
        return .read(
            Read(isLong: true) { (reader, _) throws(StoreError) in
                let page = try reader.logs(limit: limit, cursor: cursor)
                return .result(
                    .logs(
                        .with {
                            $0.logs = page.logs.map { WireLog($0, for: .all) }
                            $0.nextCursor = page.nextCursor ?? ""
                        }))
            })
    }

    static let deleteLog = CallRule(.write(.logs), .write, names: .itself) {
        (request: WireDeleteLogRequest, _) throws(RequestFailure) in
        let log = try LogName(wire: request.name)
        return .mutation(.deleteLog(log), of: log.text)
    }
}

extension LogPlace {
    /// Empty: before all.
    fileprivate init(wire bytes: [UInt8]) throws(RequestFailure) {
        self = bytes.isEmpty ? .start : try checked { () throws(StoreError) in try LogPlace(bytes) }
    }
}

extension WireLog {
    /// A caller who may only write it gets what it has to be opened with.
    init(_ info: Log, for scope: AnswerScope) {
        self.init()
        name = info.name.text
        maximumBytes = info.configuration.maximumBytes
        overwritesOldest = info.configuration.overwritesOldest
        isReplicated = info.isReplicated
        guard scope.contains(.log) else { return }
        createdAtMicroseconds = info.createdAt.microseconds
        firstSequence = info.sequences?.lowerBound ?? 0
        lastSequence = info.sequences?.upperBound ?? 0
        usedBytes = info.usedBytes
        createdRevision = info.createdRevision
    }
}

/// Writes pages of a log and the answers to appends as protobuf without building protobuf types.
enum LogEncoder {
    static func append(_ head: ResponseHead, _ page: LogPage, to buffer: inout ByteBuffer) {
        let infoBytes = size(of: page.info)
        var resultBytes = page.hasMore ? ProtobufSize.varintField(2, 1) : 0
        resultBytes += ProtobufSize.bytesField(3, count: infoBytes) + historySize(4, page.history)
        let place = page.place?.bytes
        resultBytes += place.map { ProtobufSize.bytesField(5, count: $0.count) } ?? 0
        for entry in page.entries {
            resultBytes += ProtobufSize.bytesField(1, count: size(of: entry))
        }
        FrameWriter.append(head, .logEntries, resultBytes: resultBytes, to: &buffer) { writer in
            for entry in page.entries {
                writer.startBytesField(1, count: size(of: entry))
                writeInteger(1, Int64(bitPattern: entry.sequence), to: &writer)
                entry.data.withUnsafeBytes { writer.bytesField(2, $0) }
                writeInteger(3, Int64(bitPattern: entry.device ?? 0), to: &writer)
                writeInteger(4, entry.appendedAt?.microseconds ?? 0, to: &writer)
            }
            if page.hasMore {
                writer.varintField(2, 1)
            }
            writer.startBytesField(3, count: infoBytes)
            write(page.info, to: &writer)
            writeHistory(4, page.history, to: &writer)
            place?.withUnsafeBytes { writer.bytesField(5, $0) }
        }
    }

    static func append(
        _ head: ResponseHead, appended sequences: ClosedRange<UInt64>, isReplayed: Bool, to buffer: inout ByteBuffer
    ) {
        let first = Int64(bitPattern: sequences.lowerBound)
        let last = Int64(bitPattern: sequences.upperBound)
        let resultBytes = integerSize(1, first) + integerSize(2, last) + integerSize(3, isReplayed ? 1 : 0)
        FrameWriter.append(head, .appendLog, resultBytes: resultBytes, to: &buffer) { writer in
            writeInteger(1, first, to: &writer)
            writeInteger(2, last, to: &writer)
            writeInteger(3, isReplayed ? 1 : 0, to: &writer)
        }
    }

    private static func size(of entry: LogEntry) -> Int {
        integerSize(1, Int64(bitPattern: entry.sequence)) + ProtobufSize.bytesField(2, count: entry.data.count)
            + integerSize(3, Int64(bitPattern: entry.device ?? 0))
            + integerSize(4, entry.appendedAt?.microseconds ?? 0)
    }

    private static func size(of info: Log) -> Int {
        var size = textSize(1, info.name.text)
        size += integerSize(2, Int64(bitPattern: info.configuration.maximumBytes))
        size += info.configuration.overwritesOldest ? 2 : 0
        size += integerSize(4, info.createdAt.microseconds)
        size += integerSize(5, Int64(bitPattern: info.sequences?.lowerBound ?? 0))
        size += integerSize(6, Int64(bitPattern: info.sequences?.upperBound ?? 0))
        size += integerSize(7, Int64(bitPattern: info.usedBytes))
        size += integerSize(8, Int64(bitPattern: info.createdRevision))
        size += info.isReplicated ? 2 : 0
        return size
    }

    private static func write(_ info: Log, to writer: inout ProtobufWriter) {
        writeText(1, info.name.text, to: &writer)
        writeInteger(2, Int64(bitPattern: info.configuration.maximumBytes), to: &writer)
        writeInteger(3, info.configuration.overwritesOldest ? 1 : 0, to: &writer)
        writeInteger(4, info.createdAt.microseconds, to: &writer)
        writeInteger(5, Int64(bitPattern: info.sequences?.lowerBound ?? 0), to: &writer)
        writeInteger(6, Int64(bitPattern: info.sequences?.upperBound ?? 0), to: &writer)
        writeInteger(7, Int64(bitPattern: info.usedBytes), to: &writer)
        writeInteger(8, Int64(bitPattern: info.createdRevision), to: &writer)
        writeInteger(9, info.isReplicated ? 1 : 0, to: &writer)
    }
}
