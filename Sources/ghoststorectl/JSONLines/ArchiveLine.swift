import StoreClient

/// What a kind of record is as a line of JSON (proto-docs/ARCHIVE.md, "As JSON Lines").
protocol ArchiveLineForm {
    /// What the field `record` says.
    static var word: String { get }
    /// The fields besides that one.
    static var names: Set<String> { get }

    init(line: JSONRecord) throws(JSONError)

    func add(to object: inout JSONObject)
}

/// One line of an archive's folder: a record, and the file beside it that has its bytes.
struct ArchiveLine {
    /// Each value of a scene is two levels, inside those of the line.
    private static let depthMax = 2 * SceneValue.nestingMax + 4
    private static let recordName = "record"
    private static let changedName = "changed_at_microseconds"
    private static let fileName = "content_file"

    let record: ArchiveRecord
    /// Of a file and of a content: the path of its bytes in the folder.
    let contentFile: String?

    init(_ record: ArchiveRecord, contentFile: String? = nil) {
        self.record = record
        self.contentFile = contentFile
    }

    init(_ bytes: [UInt8]) throws(JSONError) {
        let line = try JSONRecord(line: bytes, depthMax: Self.depthMax)
        let word = try line.text(Self.recordName)
        guard let form = ArchiveItem.forms.first(where: { $0.word == word }) else {
            let known = ArchiveItem.forms.map { $0.word }.joined(separator: ", ")
            throw JSONError("the field '\(Self.recordName)' must be one of \(known)")
        }
        var names = form.names.union([Self.recordName])
        if form != .header, form != .footer {
            names.insert(Self.changedName)
        }
        if form.hasContent {
            names.insert(Self.fileName)
        }
        try line.allowOnly(names)
        record = ArchiveRecord(try form.item(line), changedAt: try line.optionalTime(Self.changedName))
        contentFile = form.hasContent ? try line.text(Self.fileName) : nil
    }

    /// - Returns: `nil` for a piece of a content, which is no line.
    var object: JSONObject? {
        guard let form = record.item.lineForm else { return nil }
        var object = JSONObject()
        object.add(Self.recordName, type(of: form).word)
        form.add(to: &object)
        object.add(Self.changedName, ifPresent: record.changedAt?.microseconds)
        object.add(Self.fileName, ifPresent: contentFile)
        return object
    }
}

/// The kinds of lines, and how each is read.
private struct ArchiveLineKind: Equatable {
    let word: String
    let names: Set<String>
    let hasContent: Bool
    let item: (JSONRecord) throws(JSONError) -> ArchiveItem

    init<Form: ArchiveLineForm>(_: Form.Type, hasContent: Bool = false, _ item: @escaping (Form) -> ArchiveItem) {
        word = Form.word
        names = Form.names
        self.hasContent = hasContent
        self.item = { (line) throws(JSONError) in item(try Form(line: line)) }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.word == right.word
    }

    static var header: ArchiveLineKind { ArchiveLineKind(ArchiveHeader.self) { .header($0) } }
    static var footer: ArchiveLineKind { ArchiveLineKind(ArchiveFooter.self) { .footer($0) } }
}

extension ArchiveItem {
    fileprivate static var forms: [ArchiveLineKind] {
        [
            .header,
            ArchiveLineKind(ArchivedContact.self) { .contact($0) },
            ArchiveLineKind(ArchivedConversation.self) { .conversation($0) },
            ArchiveLineKind(ArchivedMessage.self) { .message($0) },
            ArchiveLineKind(ArchivedReaction.self) { .reaction($0) },
            ArchiveLineKind(ArchivedDraft.self) { .draft($0) },
            ArchiveLineKind(ArchivedSceneValue.self) { .sceneValue($0) },
            ArchiveLineKind(ArchivedLog.self) { .log($0) },
            ArchiveLineKind(ArchivedLogEntry.self) { .logEntry($0) },
            ArchiveLineKind(ArchivedDirectory.self) { .directory($0) },
            ArchiveLineKind(ArchivedFile.self, hasContent: true) { .file($0) },
            ArchiveLineKind(ArchivedContent.self, hasContent: true) { .content($0) },
            ArchiveLineKind(ArchivedRemoval.self) { .removal($0) },
            .footer,
        ]
    }

    fileprivate var lineForm: (any ArchiveLineForm)? {
        switch self {
        case .header(let header): header
        case .contact(let contact): contact
        case .conversation(let conversation): conversation
        case .message(let message): message
        case .reaction(let reaction): reaction
        case .draft(let draft): draft
        case .sceneValue(let value): value
        case .log(let log): log
        case .logEntry(let entry): entry
        case .directory(let directory): directory
        case .file(let file): file
        case .content(let content): content
        case .removal(let removal): removal
        case .footer(let footer): footer
        case .filePiece: nil
        }
    }
}

extension ArchiveHeader: ArchiveLineForm {
    static let word = "header"
    static let names: Set<String> = [
        "format_version", "history_id", "revision", "created_at_microseconds", "since_revision",
    ]

    init(line: JSONRecord) throws(JSONError) {
        guard let version = UInt32(exactly: try line.unsigned("format_version")) else {
            throw JSONError("the field 'format_version' is far too large")
        }
        guard let history = HistoryID(try line.text("history_id")) else {
            throw JSONError("the field 'history_id' must be 32 hexadecimal digits")
        }
        let since = try line.optionalUnsigned("since_revision")
        guard since != 0 else { throw JSONError("the field 'since_revision' must be greater than 0") }
        self.init(
            formatVersion: version, historyID: history, revision: try line.unsigned("revision"),
            createdAt: try line.time("created_at_microseconds"), sinceRevision: since)
    }

    func add(to object: inout JSONObject) {
        object.add("format_version", formatVersion)
        object.add("history_id", historyID.description)
        object.add("revision", revision)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("since_revision", ifPresent: sinceRevision)
    }
}

extension ArchiveFooter: ArchiveLineForm {
    static let word = "footer"
    static let names: Set<String> = ["counts"]

    init(line: JSONRecord) throws(JSONError) {
        self.init(counts: try ArchiveCounts(line: try line.record("counts")))
    }

    func add(to object: inout JSONObject) {
        object.add("counts", counts.json)
    }
}
