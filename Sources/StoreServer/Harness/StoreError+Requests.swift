import StoreBasics
import StoreEngine
import StoreProtocol

/// Errors of requests that never reach the engine. The caller receives the reason and the message (`WireError`).
extension StoreError {
    static var malformedCall: StoreError {
        StoreError(.requestMalformed, "the call is not a valid protobuf message")
    }

    /// Returns the error of a missing right. Its message proposes the rule that grants least. It does not name the
    /// entry of the call: a name is content and is not read before the right is known.
    ///
    /// - Parameters:
    ///   - isLimited: True if a right that is limited to entries with certain names would be enough.
    ///   - part: The part of the call that the refusal applies to.
    static func permissionDenied(
        _ kind: CallKind, isLimited: Bool, _ part: String = "", uid: UInt32
    ) -> StoreError {
        let requirement = kind.rule.requirement
        let entry = isLimited ? kind.rule.proposedEntry : nil
        let rule = "\"user:\(uid) \(requirement.ruleText(entry?.pattern))\""
        return StoreError(
            .permissionDenied,
            """
            user \(uid) has no right to \(kind.name)\(part); hint: add an access rule to ghoststored.yaml, such \
            as \(rule)\(entry.map { " for \($0.meaning)" } ?? "")
            """)
    }

    static func answerTooLarge(forFrameOf bytes: Int) -> StoreError {
        StoreError(
            .responseTooLarge, "the answer is larger than a frame of \(bytes) bytes; request less at once")
    }
}

extension CallRule {
    /// The narrowest pattern of names that grants the call, and its meaning.
    fileprivate var proposedEntry: (pattern: String, meaning: String)? {
        requirement.namedEntry.map { (names.pattern, names.meaning($0)) }
    }
}
