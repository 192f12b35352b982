import StoreClient

extension KeySlotKind {
    var word: String {
        switch self {
        case .passphrase: "passphrase"
        case .recoveryCode: "recovery-code"
        case .keyFile: "key-file"
        case .credential: "credential"
        case .unknown: "unknown"
        }
    }
}

extension KeySlot: Tabular {
    var json: JSONObject {
        var object = JSONObject()
        object.add("slot", number)
        object.add("kind", kind.word)
        object.add("label", label)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("memory_bytes", memoryBytes)
        object.add("passes", passes)
        return object
    }

    static var columns: [Table.Column] {
        [.number("slot"), .fixed("kind"), .text("label"), .fixed("created"), .fixed("cost")]
    }

    var cells: [Table.Cell] {
        let cost = memoryBytes == 0 ? "" : "Argon2id, \(Quantity.bytes(memoryBytes)) × \(passes)"
        return [
            Table.Cell(String(number)), Table.Cell(kind.word), Table.Cell(label),
            Table.Cell(createdAt.shortText, .dim), Table.Cell(cost),
        ]
    }
}
