import StoreClient

/// A lost edit in a list, with the name of the device that made it.
struct LostEditRow: Tabular, Described {
    let edit: LostEdit
    /// The name of the device, or its number if its name is not known; empty for an edit from before the group.
    let device: String

    static let description = JSONFields<LostEditRow>(
        name: "id",
        [
            .field("id") { String($0.edit.id) }, .field("place") { $0.place }, .field("name", \.edit.name),
            .field("text", \.edit.text), .field("device", ifPresent: \.edit.device?.description),
            .field("changed_at_microseconds", \.edit.changedAt),
        ])

    static let table: [TableColumn<LostEditRow>] = [
        .init(.fixed("id", worth: 5)) { String($0.edit.id) }, .init(.fixed("changed", worth: 4), \.edit.changedAt),
        .init(.text("device", columnsMin: 8, worth: 3), \.device),
        .init(.text("edit of", columnsMin: 14, worth: 8), \.subject),
        .init(.text("text", columnsMin: 16, columnsWanted: 50, worth: 9), \.edit.text),
    ]

    private var place: String {
        switch edit.place {
        case .message: "message"
        case .contactNotes: "contact_notes"
        case .draft: "draft"
        case .unknown: "unknown"
        }
    }

    private var subject: String {
        switch edit.place {
        case .message: "message \(edit.name)"
        case .contactNotes: "notes of \(edit.name)"
        case .draft: "draft for \(edit.name)"
        case .unknown: edit.name
        }
    }

    /// Returns the names of the group's devices; no names if the store belongs to no group, or this user may not see
    /// them.
    static func deviceNames(_ client: StoreClient) async throws -> [ReplicaDeviceID: String] {
        do throws(StoreClientError) {
            let status = try await client.replicaStatus()
            let others = status.devices.map { ($0.id, $0.name) }
            return Dictionary(others + [(status.device, status.deviceName)]) { first, _ in first }
        } catch {
            guard error.reason == .replicaGroupAbsent || error.code == .permissionDenied else { throw error }
            return [:]
        }
    }
}
