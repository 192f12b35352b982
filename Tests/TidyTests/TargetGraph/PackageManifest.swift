/// The targets of Package.swift with the modules that each declares, read from the file's text. SwiftPM cannot be
/// asked, because it would wait for the build that runs these tests.
struct PackageManifest {
    let declared: [String: Set<String>]
    /// The library products, each with its targets.
    let libraries: [String: Set<String>]

    /// The targets of the libraries for applications. Names of other libraries begin with an underscore.
    var libraryTargets: Set<String> {
        libraries.filter { !$0.key.hasPrefix("_") }.values.reduce(into: []) { $0.formUnion($1) }
    }

    init(text: String) {
        let source = SwiftSource(path: "Package.swift", text: text)
        let code = Array(source.codeLines.joined(separator: "\n").utf8)
        let original = Array(source.lines.joined(separator: "\n").utf8)
        let shared = Self.sharedDependencies(source.lines)
        var declared: [String: Set<String>] = [:]
        for call in Self.targetCalls(code: code, original: original) {
            guard let name = call.firstMatch(of: /"([^"]+)"/)?.1 else { continue }
            declared[String(name)] = Self.modules(in: Self.dependencyList(call), shared: shared)
        }
        self.declared = declared
        let library = /\.library\(\s*name:\s*"([^"]+)",\s*targets:\s*\[([^\]]*)\]/
        let products = source.lines.joined().matches(of: library)
        libraries = products.reduce(into: [:]) { libraries, product in
            libraries[String(product.1)] = Set(product.2.matches(of: /"([^"]+)"/).map { String($0.1) })
        }
    }

    /// Returns the targets of both packages, each with its declared modules. The package in Benchmarks depends on
    /// products of the main package. Each product is replaced by its targets.
    static func declaredInRepository() throws -> [String: Set<String>] {
        let main = PackageManifest(text: try Repository.text("Package.swift"))
        let bench = PackageManifest(text: try Repository.text("Benchmarks/Package.swift"))
        let declaredByBench = bench.declared.mapValues { names in
            names.reduce(into: Set<String>()) { $0.formUnion(main.libraries[$1] ?? [$1]) }
        }
        return main.declared.merging(declaredByBench) { $0.union($1) }
    }

    /// Returns the modules of constants such as `let logging: Target.Dependency = .product(name: "Logging", …)`, by the
    /// name of the constant.
    private static func sharedDependencies(_ lines: [String]) -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        var current: String?
        for line in lines {
            if let name = line.firstMatch(of: /^let (\w+): \[?Target\.Dependency\]? =/)?.1 {
                current = String(name)
            } else if line.hasPrefix("let ") || line.hasPrefix("func ") {
                current = nil
            }
            if let current {
                let names = line.matches(of: /\.product\(name: "(\w+)"/).map { String($0.1) }
                found[current, default: []].formUnion(names)
            }
        }
        return found
    }

    /// Returns the text of each call that creates a target: `.target(…)`, `.executableTarget(…)`, `.macro(…)`,
    /// `.systemLibrary(…)`, `test(…)` and `program(…)`.
    private static func targetCalls(code: [UInt8], original: [UInt8]) -> [String] {
        let codeText = String(decoding: code, as: UTF8.self)
        let opening = /(?:\.target|\.executableTarget|\.macro|\.systemLibrary|\btest|\bprogram)\(/
        return codeText.matches(of: opening).compactMap { match in
            let start = codeText.utf8.distance(from: codeText.startIndex, to: match.range.upperBound)
            return closingParenthesis(code, from: start).map { String(decoding: original[start..<$0], as: UTF8.self) }
        }
    }

    private static func closingParenthesis(_ code: [UInt8], from start: Int) -> Int? {
        var depth = 1
        for index in start..<code.count {
            if code[index] == UInt8(ascii: "(") { depth += 1 }
            if code[index] == UInt8(ascii: ")") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    /// Returns the dependencies in the text of a call. They follow `dependencies:`, or the name in `test(name,
    /// dependencies)` and `program`, and end before the next argument.
    private static func dependencyList(_ call: String) -> String {
        let afterLabel = call.firstRange(of: "dependencies:").map { call[$0.upperBound...] }
        let isShorthand = call.drop(while: \.isWhitespace).hasPrefix("\"")
        let list = afterLabel ?? (isShorthand ? call.drop { $0 != "," } : "")
        return String(list).replacing(/\b(path|exclude|swiftSettings):[\s\S]*$/, with: "")
    }

    private static func modules(in list: String, shared: [String: Set<String>]) -> Set<String> {
        var names = Set(list.matches(of: /\.product\(name: "(\w+)"/).map { String($0.1) })
        let withoutProducts = list.replacing(/\.product\([^)]*\)/, with: "")
        names.formUnion(withoutProducts.matches(of: /"([\w-]+)"/).map { String($0.1) })
        for word in withoutProducts.replacing(/"[^"]*"/, with: "").matches(of: /\w+/) {
            names.formUnion(shared[String(word.0)] ?? [])
        }
        return names
    }
}
