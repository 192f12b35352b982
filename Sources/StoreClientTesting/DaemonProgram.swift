import Glibc
import StoreClient

/// The search for the program `ghoststored`.
enum DaemonProgram {
    static let environmentName = "GHOSTSTORED"
    private static let name = "ghoststored"

    static func find(_ given: String?) throws(StoreClientError) -> String {
        try find(
            given, environment: { getenv($0).map { String(cString: $0) } }, executableDirectory: executableDirectory(),
            isProgram: { access($0, X_OK) == 0 })
    }

    static func find(
        _ given: String?, environment: (String) -> String?, executableDirectory: String?, isProgram: (String) -> Bool
    ) throws(StoreClientError) -> String {
        let named = environment(environmentName).flatMap { $0.isEmpty ? nil : $0 }
        if let path = given ?? named {
            guard isProgram(path) else {
                let source = given == nil ? "\(environmentName) names" : "the test names"
                throw absent("\(source) \(path), which is not an executable file")
            }
            return path
        }
        let folders = (environment("PATH") ?? "").split(separator: ":").map(String.init)
        let places = ([executableDirectory].compactMap { $0 } + folders).map { "\($0)/\(name)" }
        guard let path = places.first(where: isProgram) else {
            throw absent(
                "found no \(name): \(environmentName) is not set, and the program is neither beside the test "
                    + "(\(executableDirectory ?? "whose path is not known")) nor in PATH")
        }
        return path
    }

    private static func absent(_ cause: String) -> StoreClientError {
        StoreClientError(
            code: .failedPrecondition, reason: .daemonAbsent,
            message: "\(cause); hint: build it with `swift build --product \(name)`, or install it, and set "
                + "\(environmentName) to its path")
    }

    /// Returns the folder of the running program, in which SwiftPM builds other programs, too.
    private static func executableDirectory() -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink("/proc/self/exe", start, buffer.count)
            guard count > 0 else { return nil }
            let path = String(
                decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), as: UTF8.self)
            return path.lastIndex(of: "/").map { String(path[..<$0]) }
        }
    }
}
