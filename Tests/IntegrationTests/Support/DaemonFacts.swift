import FoundationEssentials
import GhostTestSupport

extension TestDaemon {
    var databasePath: String { "\(stateDirectory)/store.db" }

    /// The resident memory of the daemon as the kernel counts it (VmRSS of proc_pid_status(5)).
    var residentBytes: Int { memoryBytes("VmRSS:") }

    /// The resident memory that belongs to no file, which is mostly the heap (RssAnon).
    var residentHeapBytes: Int { memoryBytes("RssAnon:") }

    private func memoryBytes(_ name: String) -> Int {
        guard let processID, let data = FileManager.default.contents(atPath: "/proc/\(processID)/status") else {
            return 0
        }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix(name) }
        let kibibytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { Int($0) }.first ?? 0
        return kibibytes << 10
    }

    /// The processor time of the daemon in hundredths of a second (proc(5), /proc/[pid]/stat, utime and stime).
    var processorTicks: Int {
        get throws {
            let path = "/proc/\(processID ?? 0)/stat"
            let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
                throw TestSupportError("no times in \(path)")
            }
            return user + system
        }
    }

    /// Waits until the daemon uses less than a hundredth of a second of processor time in a tenth of a second.
    func waitUntilIdle() async throws {
        var before = try processorTicks
        try await eventually("the daemon is idle") {
            try await Task.sleep(for: .milliseconds(100))
            let now = try processorTicks
            defer { before = now }
            return now == before
        }
    }

    /// Runs the body and samples the resident memory meanwhile.
    /// - Returns: the largest growth seen, in bytes, and the result of the body.
    func largestGrowth<Result: Sendable>(
        during body: () async throws -> Result
    ) async throws -> (bytes: Int, result: Result) {
        let before = residentBytes
        let sampler = Task {
            var largest = 0
            while !Task.isCancelled {
                largest = max(largest, residentBytes - before)
                try? await Task.sleep(for: .milliseconds(10))
            }
            return largest
        }
        do {
            let result = try await body()
            sampler.cancel()
            return (await sampler.value, result)
        } catch {
            sampler.cancel()
            throw error
        }
    }
}
