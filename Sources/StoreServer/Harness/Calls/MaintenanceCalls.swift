import StoreEngine
import StoreProtocol

enum MaintenanceCalls {
    /// The text with which a caller confirms that the whole store shall be cleared.
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
        (request: WireClearAllDataRequest, _) throws(StoreError) in
        guard request.confirmation == clearConfirmation else {
            throw .invalidArgument("the confirmation must be the words \"\(clearConfirmation)\"")
        }
        return .mutation(request.leaveReplicaGroup ? .clearAllDataLeavingGroup : .clearAllData)
    }
}

extension WireStatistics {
    /// Creates the statistics without the parts that the caller may not read.
    init(_ statistics: Statistics, databaseBytes: UInt64 = 0, for scope: AnswerScope = .all) {
        self.init(statistics)
        if !scope.contains(.contacts) {
            contactCount = 0
        }
        self.databaseBytes = databaseBytes
    }
}
