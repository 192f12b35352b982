import SQLCipher
import StoreBasics
import StoreCrypto

/// The result of computing the digest of a content.
enum ContentDigestion {
    case whole(AttachmentDigest)
    /// The next step continues.
    case unfinished
    /// The content's file is damaged, so the content cannot be published.
    case unreadable
}

/// Finds contents by their digests, whether the database or the vault contains them.
extension ReplicaContents {
    /// Computes the digest of a content, or reads as much of it as fits in a step. Attachments that wait for a content
    /// with this digest get it.
    func replicaDigest(of stored: VaultContent) throws(StoreError) -> ContentDigestion {
        if let known = try ReplicaDigestRows.find(stored, connection) { return .whole(known) }
        let vault = replica.vault
        let running = vault.digest(of: stored.number, stored.generation)
        do throws(StoreError) {
            repeat {
                guard running.byteCount < stored.byteCount else {
                    vault.forgetDigest(of: stored.number)
                    let digest = running.finish()
                    try ReplicaDigestRows.write(digest, of: stored, connection)
                    try linkAwaitedContent(digest)
                    return .whole(digest)
                }
                let end = min(stored.byteCount, running.byteCount + Self.digestStepBytes)
                running.update(try vault.read(running.byteCount..<end, of: stored, connection))
            } while !slice.isOver
            return .unfinished
        } catch {
            vault.forgetDigest(of: stored.number)
            guard error.reason == .fileDamaged else { throw error }
            return .unreadable
        }
    }

    /// Returns the number of the content with a digest; `nil` if the store lacks it.
    func contentNumber(_ digest: AttachmentDigest) throws(StoreError) -> Int64? {
        if let stored = try AttachmentContents.find(digest, connection)?.stored { return stored }
        return try ReplicaDigestRows.content(digest, connection)
    }

    /// Gives attachments the contents of files that have the same digest.
    func linkContents(of attachments: [NewAttachment]) throws(StoreError) {
        for attachment in attachments {
            try linkContent(attachment.digest)
        }
    }

    func linkContent(_ digest: AttachmentDigest) throws(StoreError) {
        guard try AttachmentContents.find(digest, connection)?.stored == nil,
            let content = try ReplicaDigestRows.content(digest, connection)
        else { return }
        try FileContents.retain(content, connection)
        try link(digest, content)
    }

    /// Links a content if attachments wait for it. Otherwise only files use it.
    func linkAwaitedContent(_ digest: AttachmentDigest) throws(StoreError) {
        guard try AttachmentContents.find(digest, connection) != nil else { return }
        try linkContent(digest)
    }

    /// Makes a content available to attachments. The caller's reference passes to the attachments' row.
    func link(_ digest: AttachmentDigest, _ content: Int64) throws(StoreError) {
        let expiresAt = clock.age + EngineLimits.restoredAttachmentGraceMicroseconds
        try AttachmentContents.link(digest, content, at: clock.age, expiringAt: expiresAt, connection)
        areas.expiries.scheduleRetention(dueAt: expiresAt, orAnchorAt: clock.age)
        areas.attachments.hasStoredAttachments = true
    }

    /// Adds a reference to a content, for one more file.
    ///
    /// - Returns: The number and length of the content; `nil` if the store lacks it.
    func shareContent(
        _ digest: AttachmentDigest
    ) throws(StoreError) -> (number: Int64, byteCount: UInt64)? {
        guard let number = try contentNumber(digest) else { return nil }
        try FileContents.retain(number, connection)
        let byteCount = try FileContents.byteCount(of: number, connection)
        if case .vault(let stored) = try FileContents.place(of: number, connection) {
            try ReplicaDigestRows.write(digest, of: stored, connection)
        }
        if let row = try connection.first(Self.unboundContent, digest.bytes) {
            // The content's row among the attachments was kept for this file only.
            let (unbound, stored) = (row.integer(0), row.optionalInteger(1))
            try AttachmentContents.delete(unbound, connection)
            if let stored {
                try areas.contents.release(stored)
            }
        }
        return (number, byteCount)
    }

    private static var digestStepBytes: UInt64 { 256 << 10 }
    private static let unboundContent = StatementText(
        "SELECT number, stored FROM attachment_contents WHERE digest = ?1 AND reference_count < 1")
}
