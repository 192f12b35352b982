import CSimulatedDisk
import Glibc
import StoreBasics

/// Leaves out the syncs of one place in the program after the other: what a test does not notice then, it does not
/// test.
struct Controls {
    private let folder: String
    private let seed: UInt64

    struct Site {
        let hash: UInt64
        let count: UInt64
        let name: String
    }

    init(in folder: String, seed: UInt64) {
        self.folder = folder
        self.seed = seed
    }

    /// - Parameter cutsMax: after so many cuts a place counts as not noticed.
    func run(cutsMax: Int, sites wanted: String) -> Bool {
        var isWell = true
        for site in find() where wanted.isEmpty || site.name.contains(wanted) {
            var cuts = Cuts(in: folder)
            cuts.droppedSite = site.hash
            do throws(Cuts.Failure) {
                try cuts.run(cutsMax, seed: seed)
                isWell = false
                print("NOT NOTICED in \(cuts.tally.cuts) cuts: \(site.name) (\(site.count) syncs)")
            } catch {
                print("noticed after \(cuts.tally.cuts) cuts: \(site.name): \(error.words)")
            }
            fflush(nil)
        }
        return isWell
    }

    /// All that whole runs come to.
    private func find() -> [Site] {
        var cuts = Cuts(in: folder)
        cuts.findsSites = true
        do throws(Cuts.Failure) {
            try cuts.run(400, seed: seed)
        } catch {
            print("FAILED: store \(error.storeSeed), life \(error.life): \(error.words)")
        }
        return (0..<disk_site_count()).map { index in
            var (count, text) = (UInt64(0), UnsafePointer<CChar>?.none)
            let hash = disk_site(index, &count, &text)
            return Site(hash: hash, count: count, name: text.map { Self.readable(String(cString: $0)) } ?? "")
        }.sorted { $0.count > $1.count }
    }

    /// The names of the functions, without their types.
    private static func readable(_ mangled: String) -> String {
        mangled.split(separator: " ").map { name in
            var text = swift_demangle(String(name)) ?? String(name)
            // What is private: `Type.(function in _0123)`.
            text.replace(/\((\w+) in _[0-9A-F]+\)/) { $0.output.1 }
            text.replace(/closure #\d+ .* in (?=\w+\.)/, with: "")
            text.replace(/^.*?(?:static )?(\w+(?:\.\w+)+).*$/) { $0.output.1 }
            return String(text)
        }.joined(separator: " for ")
    }
}

/// Of the Swift runtime (stdlib/public/runtime/Demangle.cpp).
@_silgen_name("swift_demangle")
private func swiftDemangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ output: UnsafeMutablePointer<CChar>?,
    _ outputLength: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

private func swift_demangle(_ name: String) -> String? {
    guard let text = swiftDemangle(name, name.utf8.count, nil, nil, 0) else { return nil }
    defer { free(text) }
    return String(cString: text)
}
