import StoreEngine
import StoreProtocol

enum MaintenanceCalls {
    /// What a caller must say to clear everything.
    private static let clearConfirmation = "clear all data"

    static let getStatistics = CallRule(.read(.conversations), .read) { _ in
        .report { (server, asker) throws(StoreError) in
            let databaseBytes = UInt64(clamping: server.engine.storage().databaseBytes)
            let statistics = try server.engine.statistics()
            return .result(.statistics(WireStatistics(statistics, databaseBytes: databaseBytes, for: asker.scope)))
        }
    }

    static let checkStore = CallRule(.administration, .read) { _ in
        .administration { (engine, progress) throws(StoreError) in
            AdministrationOutcome(.checkReport(WireCheckReport(try engine.check(progress: progress))))
        }
    }

    static let clearAllData = CallRule(.administration, .write) {
        (request: WireClearAllDataRequest, _) throws(RequestFailure) in
        guard request.confirmation == clearConfirmation else {
            throw .invalidArgument("the confirmation must be the words \"\(clearConfirmation)\"")
        }
        return .mutation(request.leaveReplicaGroup ? .clearAllDataLeavingGroup : .clearAllData)
    }
}

extension WireStatistics {
    /// Without what a caller may not read.
    init(_ statistics: Statistics, databaseBytes: UInt64 = 0, for scope: AnswerScope = .all) {
        self.init()
        conversationCount = UInt64(clamping: statistics.conversationCount)
        messageCount = UInt64(clamping: statistics.messageCount)
        contactCount = scope.contains(.contacts) ? UInt64(clamping: statistics.contactCount) : 0
        unreadCount = UInt64(clamping: statistics.unreadCount)
        revision = statistics.revision
        compactedThroughRevision = statistics.compactedThroughRevision
        self.databaseBytes = databaseBytes
    }
}

extension WireCheckReport {
    init(_ report: CheckReport) {
        self.init()
        isClean = report.isClean
        findings = report.findings
        pagesChecked = UInt64(clamping: report.pagesChecked)
        rowsChecked = UInt64(clamping: report.rowsChecked)
    }
}
