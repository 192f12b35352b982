import StoreBasics

extension ArchiveRestoring {
    /// A content of attachments: its messages come later in the archive, and find it here.
    ///
    /// - Parameter bytes: `nil`: to find out what it would come to, and to keep what is there.
    func restore(
        _ content: ArchivedContent, _ bytes: RestoredBytes?, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        let known = try AttachmentContents.find(content.digest, connection)
        let outcome = known.map { $0.stored == nil ? RestoreOutcome.updated : .equal } ?? .added
        guard !mode.isDryRun, bytes != nil || outcome == .equal else { return outcome }
        _ = try areas.attachments.keep(
            content.digest, byteCount: content.byteCount, for: EngineLimits.restoredAttachmentGraceMicroseconds
        ) { (number, connection) throws(StoreError) in
            guard let bytes else { throw StoreError(.internal, "the bytes of an existing content are missing") }
            try bytes.insert(number: number, connection)
        }
        return outcome
    }
}
