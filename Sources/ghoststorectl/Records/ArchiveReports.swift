import StoreClient

extension ArchiveRestoreReport: Presentable {
    var json: JSONObject {
        var object = headJSON
        object.add("is_dry_run", isDryRun)
        object.add("added", added.json)
        object.add("updated", updated.json)
        object.add("kept", kept.json)
        object.add("equal", equal.json)
        return object
    }

    var fields: FieldList {
        var list = headFields
        for (name, count) in counts.named where count > 0 {
            list.add(name, "\(count): " + outcome(of: name))
        }
        return list
    }

    private func outcome(of name: String) -> String {
        [("added", added), ("updated", updated), ("kept", kept), ("equal", equal)].compactMap { outcome, counts in
            let count = counts.named.first { $0.name == name }?.count ?? 0
            return count > 0 ? "\(count) \(outcome)" : nil
        }.joined(separator: ", ")
    }

    fileprivate var headJSON: JSONObject {
        [
            "history_id": historyID, "revision": revision, "since_revision": sinceRevision,
            "created_at_microseconds": createdAt, "is_sealed": isSealed, "content_bytes": contentBytes,
            "content_id": contentID, "counts": counts.json,
        ]
    }

    fileprivate var headFields: FieldList {
        [
            "made": createdAt, "history": historyID, "revision": revision,
            "since revision": sinceRevision > 0 ? sinceRevision : nil, "sealed": isSealed,
            "size": Quantity.bytes(contentBytes), "content id": contentID,
        ]
    }
}

/// The contents of an archive that was read back and verified.
struct VerifiedArchive: Presentable {
    let report: ArchiveRestoreReport

    var json: JSONObject { report.headJSON }

    var fields: FieldList {
        var list = report.headFields
        for (name, count) in report.counts.named where count > 0 {
            list.add(name, count)
        }
        return list
    }
}

extension ArchiveCounts {
    /// The number of entries of each kind, by the name that people read.
    var named: [(name: String, count: UInt64)] {
        [
            ("contacts", contacts), ("conversations", conversations), ("messages", messages),
            ("reactions", reactions), ("drafts", drafts), ("scene values", sceneValues), ("logs", logs),
            ("log entries", logEntries), ("directories", directories), ("files", files), ("contents", contents),
            ("removals", removals),
        ]
    }

    var json: JSONObject {
        var object = JSONObject()
        for (name, count) in named {
            object.add(String(name.map { $0 == " " ? "_" : $0 }), count)
        }
        return object
    }
}
