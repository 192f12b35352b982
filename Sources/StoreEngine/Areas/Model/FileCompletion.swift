/// The result of a write, for the commit that makes it visible.
package struct FileCompletion: Sendable {
    enum Content {
        /// The file exists, and the write appended or overwrote no byte.
        case unchanged
        case database([UInt8])
        case new(NewContent)
        case rewritten(RewrittenContent)
    }

    /// The content with which the write began, and which the file must still have.
    enum Expectation {
        case anything
        case nothing
        /// The number of the content, and its generation if it is in the vault.
        case content(Int64, generation: UInt64?)
    }

    enum Goal {
        case file(FilePath, createsParents: Bool, Expectation)
        case attachment(AttachmentDigest, byteCount: UInt64)
    }

    let goal: Goal
    let content: Content
}
