import FoundationEssentials
package import StoreClient
import TestBasics

/// One call that many tasks make at once; the number is the task's.
package struct ParallelTry<Subject: Sendable>: Sendable {
    /// The function's name and, after a space, what is special about this try.
    package let name: String
    package let run: @Sendable (Subject, Int) async throws -> Void

    package init(_ name: String, _ run: @escaping @Sendable (Subject, Int) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// Runs it in as many tasks at once.
    ///
    /// - Returns: what the failures say, with how often.
    package func failures(_ subject: Subject, tasks: Int = ParallelCalls.taskCount) async -> [String: Int] {
        await withTaskGroup(of: String?.self) { group in
            for number in 0..<tasks {
                group.addTask {
                    do {
                        try await run(subject, number)
                        return nil
                    } catch {
                        return "\(error)"
                    }
                }
            }
            var failures: [String: Int] = [:]
            for await failure in group {
                if let failure {
                    failures[failure, default: 0] += 1
                }
            }
            return failures
        }
    }
}

package enum ParallelCalls {
    /// More than the daemon has sessions and writes at once. The long tier has more than a client has calls in flight,
    /// too; in the short one `configuration` lowers that.
    package static let taskCount = TestTier.count(40, long: 200)

    /// A client whose calls have to wait for their turn while as many tasks call.
    package static var configuration: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.inFlightCallsMax = TestTier.count(24, long: configuration.inFlightCallsMax)
        return configuration
    }

    /// Names of public asynchronous functions that are neither tried by many tasks nor named as left out, and names
    /// that are no such function: both are empty, so that a new call is tried or named.
    ///
    /// - Parameter folders: of sources.
    package static func differences(
        in folders: [String], tried: [String], leftOut: some Sequence<String>
    ) throws -> (forgotten: Set<String>, unknown: Set<String>) {
        let found = try folders.map { try functions(in: $0) }.reduce(Set()) { $0.union($1) }
        let named = Set(tried.map { String($0.prefix { $0 != " " }) }).union(leftOut)
        return (found.subtracting(named), named.subtracting(found))
    }

    private static func functions(in folder: String) throws -> Set<String> {
        let directory = "\(BuiltPrograms.packageDirectory)/Sources/\(folder)"
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: directory) where file.hasSuffix(".swift") {
            let source = try String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)
            for match in source.matches(of: /public (?:mutating )?func `?(\w+)/) {
                // A body begins at the end of a line, unlike a closure that is a default.
                let head = source[match.range.lowerBound...].split(separator: "{\n", maxSplits: 1).first ?? ""
                if head.contains(" async throws") {
                    names.insert(String(match.1))
                }
            }
        }
        // An iteration's.
        return names.subtracting(["next"])
    }
}
