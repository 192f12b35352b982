internal import StoreEngine
internal import StoreProtocol

extension RequestDecoder {
    static func decodeLogs(_ kind: CallKind, _ call: UnsafeRawBufferPointer) throws(RequestFailure) -> Command {
        switch kind {
        case .openLog:
            let request = try parse(WireOpenLogRequest.self, call)
            let configuration = LogConfiguration(
                maximumBytes: request.maximumBytes, overwritesOldest: request.overwritesOldest)
            return .mutation(.openLog(try logName(request.name), configuration))
        case .appendLog:
            let request = try parse(WireAppendLogRequest.self, call)
            let expected = LogConfiguration(
                maximumBytes: request.maximumBytes, overwritesOldest: request.overwritesOldest)
            return .mutation(
                .appendLog(
                    LogAppend(
                        log: try logName(request.name), expected: request.maximumBytes == 0 ? nil : expected,
                        messages: request.messages.map { [UInt8]($0) })))
        case .readLog:
            return try readLog(try parse(WireReadLogRequest.self, call))
        case .getLog:
            return .pointRead(.log(try logName(try parse(WireGetLogRequest.self, call).name)))
        case .listLogs:
            let request = try parse(WireListLogsRequest.self, call)
            return .listRead(
                .logs(limit: try limit(request.limit), cursor: request.cursor.isEmpty ? nil : request.cursor))
        case .deleteLog:
            return .mutation(.deleteLog(try logName(try parse(WireDeleteLogRequest.self, call).name)))
        default:
            preconditionFailure("\(kind) is not a call on logs")
        }
    }

    private static func readLog(_ request: WireReadLogRequest) throws(RequestFailure) -> Command {
        guard request.waitMilliseconds <= CallLimits.logWaitMillisecondsMax else {
            throw .invalidArgument(
                "the wait is \(request.waitMilliseconds) ms; the most is \(CallLimits.logWaitMillisecondsMax)")
        }
        let query = LogQuery(
            log: try logName(request.name), afterSequence: request.afterSequence, limit: try limit(request.limit))
        return request.waitMilliseconds == 0
            ? .listRead(.logEntries(query)) : .waitForLog(query, milliseconds: request.waitMilliseconds)
    }

    private static func logName(_ text: String) throws(RequestFailure) -> LogName {
        try checked { () throws(StoreError) in try LogName(text) }
    }
}
