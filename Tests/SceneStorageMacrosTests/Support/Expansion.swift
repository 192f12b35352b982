import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import SceneStorageMacrosPlugin

private let macros: [String: MacroSpec] = [
    "SceneStorage": MacroSpec(type: SceneStorageMacro.self),
    "SceneStorageKey": MacroSpec(type: SceneStorageKeyMacro.self),
]

/// Expands both macros in `source` and expects exactly the result `expanded` and the given diagnostics.
func expectExpansion(
    of source: String, is expanded: String, diagnostics: [DiagnosticSpec] = [], applying fixIts: [String]? = nil,
    fixedSource: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) {
    assertMacroExpansion(
        source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: macros, applyFixIts: fixIts,
        fixedSource: fixedSource, indentationWidth: .spaces(4),
        failureHandler: { failure in
            Issue.record(
                Comment(rawValue: failure.message),
                sourceLocation: SourceLocation(
                    fileID: "\(failure.location.fileID)", filePath: "\(failure.location.filePath)",
                    line: failure.location.line, column: failure.location.column))
        },
        fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Expands one property inside a valid type and expects exactly the accessors `expanded`.
func expectProperty(
    _ attribute: String, _ property: String, expandsTo expanded: String, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    let indented = expanded.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
    expectExpansion(
        of: """
            @SceneStorage
            class Settings {
                \(attribute)
                \(property)
                init() { _$sceneStorage = shared }
            }
            """,
        is: """
            class Settings {
            \(indented.joined(separator: "\n"))
                init() { _$sceneStorage = shared }

                private let _$sceneStorage: SceneStorage
            }
            """,
        fileID: fileID, filePath: filePath, line: line, column: column)
}
