import StoreClient

extension Backup: Tabular, Described, Presentable {
    static let description = JSONFields<Backup>(
        name: "name",
        [
            .field("name", \.name), .field("kind") { $0.kind.word.replacing("-", with: "_") },
            .field("bytes", \.bytes), .field("created_at_microseconds", \.createdAt), .field("revision", \.revision),
            .field("is_complete", \.isComplete), .field("number", \.number),
        ])

    var fields: FieldList {
        [
            "name": name, "kind": kind.text, "size": Quantity.bytes(bytes), "created": createdAt,
            "revision": revisionText.isEmpty ? nil : revisionText, "complete": isComplete,
        ]
    }

    static let table: [TableColumn<Backup>] = [
        .init(.fixed("name", worth: 9), \.name), .init(.fixed("kind", worth: 5), \.kindCell),
        .init(.number("size", worth: 6)) { Quantity.bytes($0.bytes) }, .init(.fixed("created"), \.createdAt),
        .init(.number("revision", worth: 1), \.revisionText),
    ]

    private var kindCell: Table.Cell {
        isComplete ? Table.Cell(kind.text) : Table.Cell("\(kind.text), incomplete", .yellow)
    }

    /// The revision; empty if the daemon does not know it. Revision 0 is shown only for a backup that the daemon made:
    /// its store had no changes yet.
    private var revisionText: String {
        revision == 0 && kind != .made ? "" : String(revision)
    }
}

extension Backup.Kind {
    fileprivate var text: String {
        word.replacing("-", with: " ")
    }
}
