import Testing

@testable import ghoststored

/// config/ghoststored.yaml documents every setting with its default value.
@Suite struct AnnotatedFileTests {
    private let bytes: [UInt8]
    private let values: [String: SettingValue]

    init() throws {
        bytes = try repositoryFile("config/ghoststored.yaml")
        values = try ConfigurationFile.values(bytes, path: "config/ghoststored.yaml")
    }

    @Test func `the file has every key with exactly its default`() {
        for setting in Settings.all {
            #expect(values[setting.key] == setting.defaultValue, "\(setting.key)")
        }
        #expect(values.count == Settings.all.count)
    }

    @Test func `every key has a comment right above it`() {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for setting in Settings.all {
            let name = setting.key.split(separator: ".").last ?? ""
            let index = lines.firstIndex { $0.drop { $0 == " " }.hasPrefix("\(name):") } ?? 0
            #expect(index > 0 && lines[index - 1].drop { $0 == " " }.hasPrefix("#"), "\(setting.key)")
        }
    }

    @Test func `the file contains the range of every limit`() {
        let text = String(decoding: bytes, as: UTF8.self)
        for limit in Settings.limits {
            guard case .number(let range) = limit.setting.kind else { continue }
            #expect(text.contains("\(range.lowerBound)"), "\(limit.setting.key)")
            #expect(text.contains("\(range.upperBound)"), "\(limit.setting.key)")
        }
    }

    @Test func `a configuration without any source equals the file`() throws {
        #expect(try DaemonConfiguration.merge(file: [:]) == DaemonConfiguration.merge(file: values))
    }
}
