import StoreClient

extension VaultItem: Presentable, Tabular, Described {
    static let description = JSONFields<VaultItem>(name: "name", [.field("name", \.name)] + fieldsBehindName)

    /// The fields of an item in a tree, with its path.
    static let descriptionInTree = JSONFields<(place: VaultPath, item: VaultItem)>(
        name: "path", [.field("path", \.place.description)] + fieldsBehindName.map { $0.within(\.item) })

    private static let fieldsBehindName: [JSONFields<VaultItem>.Field] = [
        .field("kind", \.kind.rawValue), .field("bytes", \.contentBytes),
        .field("created_at_microseconds", \.createdAt), .field("modified_at_microseconds", \.modifiedAt),
        .field("revision", \.revision),
    ]

    /// The item as a line of a tree.
    var sentence: String {
        kind == .directory ? "\(name)/" : "\(name)  \(Quantity.bytes(contentBytes))"
    }

    var fields: FieldList {
        [
            "name": name, "kind": kind.rawValue, "bytes": contentBytes, "created": createdAt, "modified": modifiedAt,
            "revision": revision,
        ]
    }

    static let table: [TableColumn<VaultItem>] = [
        .init(.fixed("modified", worth: 4), \.modifiedAt), .init(.fixed("kind", worth: 3), \.kind.rawValue),
        .init(.number("size", worth: 5)) { $0.kind == .directory ? "" : Quantity.bytes($0.contentBytes) },
        .init(.text("name", columnsMin: 16, worth: 9), \.name),
    ]
}

extension VaultAreaUsage: Tabular, Described {
    static let description = JSONFields<VaultAreaUsage>(
        name: "area",
        [
            .field("area", \.area.rawValue), .field("files", \.fileCount), .field("directories", \.directoryCount),
            .field("bytes", \.contentBytes), .field("bytes_max", \.contentBytesMax),
        ])

    static let table: [TableColumn<VaultAreaUsage>] = [
        .init(.number("files", worth: 6), \.fileCount), .init(.number("directories", worth: 4), \.directoryCount),
        .init(.number("size", worth: 8)) { Quantity.bytes($0.contentBytes) },
        .init(.number("bound", worth: 5)) { $0.contentBytesMax == 0 ? "none" : Quantity.bytes($0.contentBytesMax) },
        .init(.text("area", columnsMin: 16, worth: 9), \.area.rawValue),
    ]
}
