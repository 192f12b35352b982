import CFuzzer
import Glibc

/// The program that `make fuzz-long` builds and scripts/fuzz runs: one target under libFuzzer.
///
/// `FUZZ_TARGET` contains the name of the target. The arguments are libFuzzer's
/// (https://llvm.org/docs/LibFuzzer.html#options). If `FUZZ_SEEDS` is set, the program writes the target's seed inputs
/// to that folder instead.
@main struct StoreFuzzer {
    fileprivate static let target: FuzzTarget = {
        guard let name = variable("FUZZ_TARGET"), let target = FuzzTarget(rawValue: name) else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("FUZZ_TARGET is none of \(names)")
        }
        return target
    }()

    static func main() throws {
        let seeds = try target.seeds()
        if let folder = variable("FUZZ_SEEDS") {
            for (index, seed) in seeds.enumerated() {
                guard let file = fopen("\(folder)/seed-\(index)", "w") else { fatalError("\(folder): errno \(errno)") }
                fwrite(seed, 1, seed.count, file)
                fclose(file)
            }
            return
        }
        exit(runFuzzer())
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

private func runFuzzer() -> CInt {
    var argumentCount = CommandLine.argc
    let arguments = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>.allocate(capacity: 1)
    arguments.initialize(to: CommandLine.unsafeArgv)
    return LLVMFuzzerRunDriver(&argumentCount, arguments, fuzzOneInput)
}

private func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try StoreFuzzer.target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(StoreFuzzer.target): \(error)")
    }
    return 0
}
