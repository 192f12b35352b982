import StoreClient

extension Commit {
    var json: JSONObject {
        var object = JSONObject()
        object.add("revision", revision)
        object.add("ids", ids)
        object.add("created", createdCount)
        object.add("updated", updatedCount)
        object.add("deleted", deletedCount)
        return object
    }

    /// What happened, for people.
    var sentence: String {
        let parts = [
            createdCount > 0 ? "\(createdCount) created" : nil, updatedCount > 0 ? "\(updatedCount) updated" : nil,
            deletedCount > 0 ? "\(deletedCount) deleted" : nil,
        ].compactMap { $0 }
        let outcome = parts.isEmpty ? "nothing had to change" : parts.joined(separator: ", ")
        return "\(outcome) at revision \(revision)" + (ids.count == 1 ? ": \(ids[0])" : "")
    }
}
