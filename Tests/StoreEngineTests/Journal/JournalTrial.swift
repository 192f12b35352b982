import StoreBasics
import Testing

@testable import StoreEngine

/// A store that is opened from changed files again and again. It reports the result of each opening.
final class JournalTrial {
    enum Outcome: Equatable, CustomStringConvertible {
        /// The store opened with everything that was acknowledged.
        case whole
        /// The opening was refused and changed nothing.
        case refused(ErrorReason)
        /// The store opened without these parts of the acknowledged content.
        case lost([String])
        /// The opening was refused but changed these files.
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

        /// True if the outcome is allowed: no acknowledged write is lost.
        var isWholeOrRefused: Bool {
            switch self {
            case .whole, .refused(.journalDamaged), .refused(.storeRolledBack): true
            case .refused, .lost, .changed, .failed: false
            }
        }
    }

    private let store: TemporaryStore
    private let contents: StoreContents

    /// Creates the trial.
    ///
    /// - Parameter contents: everything that was acknowledged.
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
            // Opening a database creates an empty WAL, so an empty file equals a missing one.
            let names = Set(files.keys).union(after.keys).filter { (files[$0] ?? []) != (after[$0] ?? []) }.sorted()
            return names.isEmpty ? .refused(error.reason) : .changed(names, error.reason)
        case let state:
            return .failed("\(state)")
        }
    }

    /// Expects that the store opens with everything, or is refused without a change.
    ///
    /// - Returns: the outcome, for further expectations.
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
