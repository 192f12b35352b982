import StoreClient

extension Log: Presentable, Tabular, Described {
    static let description = JSONFields<Log>(
        name: "name",
        [
            .field("name", \.name), .field("maximum_bytes", \.configuration.maximumBytes),
            .field("overwrites_oldest", \.configuration.overwritesOldest), .field("used_bytes", \.usedBytes),
            .field("messages", \.messageCount), .field("first_sequence", ifPresent: \.sequences?.lowerBound),
            .field("last_sequence", ifPresent: \.sequences?.upperBound),
            .field("created_at_microseconds", \.createdAt), .field("created_revision", \.createdRevision),
            .field("is_replicated", \.isReplicated),
        ])

    var fields: FieldList {
        [
            "name": name, "maximum bytes": configuration.maximumBytes, "when full": whenFull, "used bytes": usedBytes,
            "messages": messageCount, "sequence": sequences.map { "\($0.lowerBound) to \($0.upperBound)" },
            "created": createdAt, "replicated": isReplicated,
        ]
    }

    static let table: [TableColumn<Log>] = [
        .init(.text("name", columnsMin: 16, worth: 9), \.name), .init(.number("messages", worth: 5), \.messageCount),
        .init(.number("newest", worth: 4)) { $0.sequences?.upperBound ?? 0 },
        .init(.number("used", worth: 3)) { Quantity.bytes($0.usedBytes) },
        .init(.number("maximum")) { Quantity.bytes($0.configuration.maximumBytes) },
        .init(.fixed("when full", worth: 1), \.whenFull),
    ]

    private var whenFull: String {
        configuration.overwritesOldest ? "overwrites the oldest" : "refuses more"
    }

    /// The failure if the existing append log has another configuration than requested. This is a failure, because the
    /// daemon rejects appends of a writer that expects another configuration.
    var isMadeOtherwise: CommandFailure {
        let options =
            "--maximum-bytes \(configuration.maximumBytes)\(configuration.overwritesOldest ? " --overwrite" : "")"
        return CommandFailure(
            .precondition,
            """
            the log \(name) has other settings, which cannot change: \(options); hint: use these settings, \
            or another name
            """,
            answer: ("FAILED_PRECONDITION", StoreClientError.Reason.logNotWritable.rawValue))
    }
}

extension LogEntry {
    static let record = RecordForm(
        name: "sequence",
        ["sequence", "text", "data", "device", "appended_at_microseconds", "metadata", "metadata_type"])

    /// The entry's JSON. The message is text, or base64 if it is not UTF-8.
    var json: JSONObject {
        var object = JSONObject()
        object.add("sequence", sequence)
        if let text = String(validating: data, as: UTF8.self) {
            object.add("text", text)
        } else {
            object.add("data", Base64.text(data))
        }
        object.add("device", ifPresent: device?.description)
        object.add("appended_at_microseconds", ifPresent: appendedAt?.microseconds)
        object.add(metadata)
        return object
    }

    /// The entry as a line for people: the device that numbered the entry if it is another device, the sequence number,
    /// the message, and the size and the type of the metadata.
    var sentence: String {
        let text = String(validating: data, as: UTF8.self) ?? Base64.text(data)
        let line = "\(device.map { "\($0) " } ?? "")\(sequence)  \(text)"
        return metadata.map { "\(line)  (metadata: \($0.phrase))" } ?? line
    }
}

extension Output {
    /// Prints an entry.
    ///
    /// - Parameter isRaw: True to print only the message's bytes and a newline.
    func show(_ entry: LogEntry, isRaw: Bool) throws(CommandFailure) {
        guard isRaw else { return try printEvent(entry.sentence, entry.json, LogEntry.record) }
        try raw(entry.data + [UInt8(ascii: "\n")])
        try flush()
    }
}
