/// /proc/PID/status (proc(5)).
enum ProcessMemory {
    /// Resident memory (VmRSS) in mebibytes.
    static func residentMebibytes(processID: Int32) throws(BenchError) -> Double {
        let status = try TextFile.read("/proc/\(processID)/status")
        for line in status.split(separator: "\n") where line.hasPrefix("VmRSS:") {
            if let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Double($0)
            }) {
                return kibibytes / 1_024
            }
        }
        throw BenchError("no VmRSS in /proc/\(processID)/status")
    }
}
