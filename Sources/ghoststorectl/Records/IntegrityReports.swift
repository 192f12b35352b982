import StoreClient

/// The result of reading and checking every page and row of a store or a backup.
protocol IntegrityReport: Presentable {
    var isClean: Bool { get }
    var findings: [String] { get }
}

extension Session {
    /// Shows a report.
    ///
    /// - Parameter subject: The noun in the error message for the checked object: "the store".
    /// - Throws: If the report contains findings.
    func conclude(_ report: some IntegrityReport, on subject: String) throws(CommandFailure) {
        try output.show(report)
        guard report.isClean else {
            let hint =
                report is CheckReport
                ? "; hint: before any repair, stop the daemon and copy the state directory (see 'man ghoststored')" : ""
            throw CommandFailure(
                .damaged, "\(subject) is damaged: \(Quantity.count(report.findings.count, "finding"))\(hint)")
        }
    }
}

extension FieldList {
    fileprivate mutating func add(findings: [String]) {
        for finding in findings {
            add("finding", finding)
        }
    }
}

extension BackupReport: IntegrityReport {
    var json: JSONObject {
        [
            "is_clean": isClean,
            "findings": findings,
            "statistics": statistics.json,
        ]
    }

    var fields: FieldList {
        var list: FieldList = [
            "clean": isClean, "conversations": statistics.conversationCount, "messages": statistics.messageCount,
            "contacts": statistics.contactCount, "revision": statistics.revision,
        ]
        list.add(findings: findings)
        return list
    }
}

extension CheckReport: IntegrityReport {
    var json: JSONObject {
        [
            "is_clean": isClean,
            "findings": findings,
            "pages_checked": pagesChecked,
            "rows_checked": rowsChecked,
        ]
    }

    var fields: FieldList {
        var list: FieldList = ["clean": isClean, "pages": pagesChecked, "rows": rowsChecked]
        list.add(findings: findings)
        return list
    }
}
