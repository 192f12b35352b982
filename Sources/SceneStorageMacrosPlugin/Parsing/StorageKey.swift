import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

/// The key of a property: a literal whose value is known while compiling.
struct StorageKey {
    /// What a key of a scene may take, in bytes of UTF-8.
    static let maximumByteCount = 256

    /// The literal as it was written.
    let literal: StringLiteralExprSyntax

    init(parsing expression: ExprSyntax) throws(DiagnosticsError) {
        guard let literal = expression.as(StringLiteralExprSyntax.self), let value = literal.representedLiteralValue
        else { throw Problem.keyNotLiteral.at(expression) }
        let byteCount = value.utf8.count
        guard byteCount > 0 else { throw Problem.keyEmpty.at(expression) }
        guard byteCount <= Self.maximumByteCount else {
            throw Problem.keyTooLong(byteCount: byteCount).at(expression)
        }
        self.literal = literal.trimmed
    }
}
