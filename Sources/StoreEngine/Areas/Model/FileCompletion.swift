/// What a write comes to, for the commit that makes it the file's.
package struct FileCompletion: Sendable {
    enum Content {
        /// No byte was written to a file that is there.
        case unchanged
        case database([UInt8])
        case new(NewContent)
        case rewritten(RewrittenContent)
    }

    /// What the write was begun with, which must still be there.
    enum Expectation {
        case anything
        case nothing
        /// The number of the content, and its generation where it is in the vault.
        case content(Int64, generation: UInt64?)
    }

    enum Goal {
        case file(FilePath, createsParents: Bool, Expectation)
        case attachment(AttachmentDigest, byteCount: UInt64)
    }

    let goal: Goal
    let content: Content
}
