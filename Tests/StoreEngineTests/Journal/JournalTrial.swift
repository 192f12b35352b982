import StoreBasics
import Testing

@testable import StoreEngine

/// Opens a store from files that something happened to, again and again, and says how that ended.
final class JournalTrial {
    enum Outcome: Equatable, CustomStringConvertible {
        /// Open, with everything that was answered.
        case whole
        /// The opening was refused, and has changed nothing.
        case refused(ErrorReason)
        /// Open without these parts of what was answered.
        case lost([String])
        /// The opening was refused and has changed these files.
        case changed([String], ErrorReason)
        case failed(String)

        var description: String {
            switch self {
            case .whole: "whole"
            case .refused(let reason): "refused as \(reason)"
            case .lost(let parts): "OPEN WITHOUT \(parts)"
            case .changed(let names, let reason): "refused as \(reason) AND CHANGED \(names)"
            case .failed(let failure): "FAILED: \(failure)"
            }
        }

        /// The rule.
        var isWholeOrRefused: Bool {
            switch self {
            case .whole, .refused(.journalDamaged), .refused(.storeRolledBack): true
            case .refused, .lost, .changed, .failed: false
            }
        }
    }

    private let store: TemporaryStore
    private let contents: StoreContents

    /// - Parameter contents: all that was answered.
    init(_ contents: StoreContents) throws {
        store = try TemporaryStore(open: false)
        self.contents = contents
    }

    func outcome(_ files: [String: [UInt8]]) throws -> Outcome {
        store.engine.shutDown()
        try StoreSpecimen.place(files, in: store)
        try store.reopen()
        switch store.engine.state {
        case .open:
            let differences = try contents.differences(from: StoreContents(store.engine.makeReader()))
            return differences.isEmpty ? .whole : .lost(differences)
        case .failed(let error):
            let after = try StoreSpecimen.image(of: store)
            // Who opens a database makes its log, empty.
            let names = Set(files.keys).union(after.keys).filter { (files[$0] ?? []) != (after[$0] ?? []) }.sorted()
            return names.isEmpty ? .refused(error.reason) : .changed(names, error.reason)
        case let state:
            return .failed("\(state)")
        }
    }

    /// Expects that the store opens whole or is refused without a change.
    ///
    /// - Returns: the outcome, so that a test can ask for more.
    @discardableResult
    func expectNoLoss(
        _ files: [String: [UInt8]], _ what: @autoclosure () -> String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        let outcome = try outcome(files)
        #expect(outcome.isWholeOrRefused, "\(what()): \(outcome)", sourceLocation: sourceLocation)
        return outcome
    }
}
