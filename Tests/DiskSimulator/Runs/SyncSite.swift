import CSimulatedDisk
import Glibc

/// A call site in the program that asks for a sync.
struct SyncSite {
    let hash: UInt64
    let name: String
    let count: UInt64

    /// Returns the sites of all syncs in lives whose plan sets `finds_sites`, in the order in which they first
    /// occurred.
    static func all() -> [SyncSite] {
        (0..<disk_site_count()).map { index in
            var (count, text) = (UInt64(0), UnsafePointer<CChar>?.none)
            let hash = disk_site(index, &count, &text)
            return SyncSite(hash: hash, name: text.map { readable(String(cString: $0)) } ?? "", count: count)
        }
    }

    /// Demangles the names of functions, which spaces separate, and returns them without types, joined by ` for `.
    private static func readable(_ mangled: String) -> String {
        mangled.split(separator: " ").map { name in
            var text = swift_demangle(String(name)) ?? String(name)
            // Private functions have names of the form `Type.(function in _0123)`.
            text.replace(/\((\w+) in _[0-9A-F]+\)/) { $0.output.1 }
            text.replace(/closure #\d+ .* in (?=\w+\.)/, with: "")
            // All initializers are called `init`, so their parameter labels are kept to distinguish them.
            let labels = text.firstMatch(of: /init\(([^()]*)/)?.output.1.matches(of: /(\w+):/).map { "\($0.output.1):" }
            text.replace(/^.*?(?:static )?(\w+(?:\.\w+)+).*$/) { $0.output.1 }
            return String(text) + (labels.map { "(\($0.joined()))" } ?? "")
        }.joined(separator: " for ")
    }
}

/// The function of the Swift runtime (stdlib/public/runtime/Demangle.cpp).
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
