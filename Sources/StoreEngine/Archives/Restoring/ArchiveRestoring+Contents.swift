import StoreBasics

extension ArchiveRestoring {
    /// Restores a content of attachments. The messages that refer to it come later in the archive.
    ///
    /// - Parameter bytes: `nil` to determine only the outcome. If the store already has the content, the call also
    ///   starts a grace period of the content, except in a dry run.
    func restore(
        _ content: ArchivedContent, _ bytes: RestoredBytes?, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        let known = try AttachmentContents.find(content.digest, connection)
        let outcome = known.map { $0.stored == nil ? RestoreOutcome.updated : .equal } ?? .added
        guard !mode.isDryRun, bytes != nil || outcome == .equal else { return outcome }
        _ = try areas.attachments.keep(
            content.digest, byteCount: content.byteCount, for: EngineLimits.restoredAttachmentGraceMicroseconds
        ) { (number, connection) throws(StoreError) in
            guard let bytes else { throw .fault("the bytes of an existing content are missing") }
            try bytes.insert(number: number, connection)
        }
        return outcome
    }
}
