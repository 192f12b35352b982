import FoundationEssentials
package import StoreClient
import TestBasics

/// A call that many tasks make at the same time. `run` gets the number of the task.
package struct ParallelTry<Subject: Sendable>: Sendable {
    /// The name of the called function. A word after a space distinguishes several tries of the same function.
    package let name: String
    package let run: @Sendable (Subject, Int) async throws -> Void

    package init(_ name: String, _ run: @escaping @Sendable (Subject, Int) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// Runs the call in `tasks` tasks at the same time.
    ///
    /// - Returns: the descriptions of the failures, each with its count.
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
    /// The number of tasks. It is larger than the daemon's limits for sessions and writes at the same time, and larger
    /// than the number of calls that one client may have in flight. `configuration` lowers the client's limit in a
    /// short test run.
    package static let taskCount = TestTier.count(40, long: 200)

    /// The configuration of a client that may have fewer calls in flight than there are tasks, so that some tasks have
    /// to wait for their turn.
    package static var configuration: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.inFlightCallsMax = TestTier.count(24, long: configuration.inFlightCallsMax)
        return configuration
    }

    /// Compares the public asynchronous functions in source folders with the lists of a test. The test expects both
    /// results to be empty: then each function is either tried or listed as left out.
    ///
    /// - Parameter folders: folders with Swift sources.
    /// - Returns: functions that are in neither list, and names in the lists that no function has.
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
                // The body of a function begins with a `{` at the end of a line. The `{` of a closure as a default
                // value is within a line.
                let head = source[match.range.lowerBound...].split(separator: "{\n", maxSplits: 1).first ?? ""
                if head.contains(" async throws") {
                    names.insert(String(match.1))
                }
            }
        }
        // `next` belongs to an async iterator and is no call.
        return names.subtracting(["next"])
    }
}
