/// The rule that a file imports only the modules that its target declares.
enum ImportRule {
    static func findings(_ source: SwiftSource, declared: Set<String>) -> [Finding] {
        source.imports.compactMap { line in
            complaint(line, target: source.target, declared: declared).map {
                Finding(path: source.path, line: line.line, message: $0)
            }
        }
    }

    private static func complaint(_ line: ModuleImport, target: String, declared: Set<String>) -> String? {
        if line.isExported, TargetGraphLaw.mayBeExported[target] != line.module {
            return "@_exported hides where \(line.module) comes from"
        }
        if line.module == "Foundation" {
            return TargetGraphLaw.mayImportFoundation.contains(target)
                ? nil : "\(target) must not import full Foundation; hint: FoundationEssentials"
        }
        if TargetGraphLaw.systemModules.contains(line.module) {
            return nil
        }
        if line.isPublic, TargetGraphLaw.applicationLibraries.contains(target),
            TargetGraphLaw.hiddenFromApplications.contains(line.module)
        {
            return "\(line.module) shows in the interface of \(target)"
        }
        return declared.contains(line.module) ? nil : "\(target) imports \(line.module) without depending on it"
    }
}
