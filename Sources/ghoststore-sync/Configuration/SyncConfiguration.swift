import Logging
import ReplicaTransport
import ServiceSupport

/// The values of the configuration file, as the parts of the agent use them.
struct SyncConfiguration: Sendable {
    /// The name under which systemd passes the credentials of NATS (LoadCredential=).
    static let credentialName = "nats-credentials"

    let file: SyncConfigurationFile
    let carrier: Carrier
    let limits: AgentLimits
    let logLevel: Logger.Level

    /// Loads the configuration.
    ///
    /// - Parameter path: the path of the file; `nil` for the standard path, where the file may be absent.
    /// - Throws: `SyncError` with all errors of the configuration.
    static func load(path: String?, environment: [String: String]) throws(SyncError) -> SyncConfiguration {
        try SyncConfiguration(
            SyncConfigurationFile(reading: path ?? SyncConfigurationFile.standardPath, isRequired: path != nil),
            environment: environment)
    }

    init(_ file: SyncConfigurationFile, environment: [String: String]) throws(SyncError) {
        self.file = file
        func path(_ setting: SyncSetting) -> String? {
            let text = file.text(setting)
            return text.isEmpty ? nil : text
        }
        var transport = TransportConfiguration(servers: file.texts(.servers))
        transport.certificateAuthorityPath = path(.certificateAuthority)
        transport.certificatePath = path(.certificate)
        transport.privateKeyPath = path(.privateKey)
        transport.credentialsPath =
            path(.credentialsFile) ?? CredentialDirectory.path(of: Self.credentialName, environment: environment)
        var stream = StreamSettings(
            name: file.text(.streamName), replicas: file.number(.replicas),
            messageBytesMax: file.number(.messageBytesMax))
        stream.bytesMax = file.number(.bytesMax) == 0 ? nil : Int64(file.number(.bytesMax))
        stream.ageMax = file.number(.ageSecondsMax) == 0 ? nil : .seconds(file.number(.ageSecondsMax))
        stream.duplicateWindow = .seconds(file.number(.duplicateWindowSeconds))
        let name = stream.name
        carrier =
            path(.folder).map { .folder($0, name: name) }
            ?? .servers(transport, stream, adjusts: file.flag(.adjust))
        limits = AgentLimits(
            bytesInFlight: file.number(.bytesInFlight), roundBytes: file.number(.roundBytes),
            channelsMax: file.number(.channelsMax))
        logLevel = Logger.Level(rawValue: file.text(.logLevel)) ?? .info
        let problems = file.problems + Self.contradictions(file, transport, stream)
        guard problems.isEmpty else { throw SyncError(.configuration, problems.joined(separator: "\n")) }
    }

    private static func contradictions(
        _ file: SyncConfigurationFile, _ transport: TransportConfiguration, _ stream: StreamSettings
    ) -> [String] {
        var found: [String] = []
        let hasFolder = !file.text(.folder).isEmpty
        if !transport.servers.isEmpty, hasFolder {
            found.append(
                "\(file.place(.folder))folder and nats.servers are both set: one of them carries the messages")
        }
        if transport.servers.isEmpty, !hasFolder, !file.isMalformed(.servers), !file.isMalformed(.folder) {
            found.append(
                "\(file.place(.servers))folder and nats.servers are empty: name a folder, or at least one server such "
                    + "as tls://host:4222")
        }
        if (transport.certificatePath == nil) != (transport.privateKeyPath == nil) {
            let given = transport.certificatePath == nil ? SyncSetting.privateKey : .certificate
            found.append(
                "\(file.place(given))nats.certificate and nats.private_key must be set together: one is missing")
        }
        if stream.replicas % 2 == 0 {
            found.append(
                "\(file.place(.replicas))stream.replicas is \(stream.replicas): use an odd number, because "
                    + "\(stream.replicas - 1) servers tolerate the same number of failures")
        }
        if let age = stream.ageMax, age < stream.duplicateWindow {
            found.append(
                "\(file.place(.ageSecondsMax))stream.age_seconds_max is \(age.components.seconds), less than "
                    + "stream.duplicate_window_seconds, \(stream.duplicateWindow.components.seconds): the stream must "
                    + "keep messages at least as long as it detects duplicates")
        }
        return found
    }

    /// The current values as the text of a configuration file. Reading that text gives the same values.
    var text: String {
        var lines: [String] = []
        var section: Substring?
        for setting in SyncSetting.allCases {
            let parts = setting.rawValue.split(separator: ".", maxSplits: 1)
            if parts.count == 2, section != parts[0] { lines.append("\(parts[0]):") }
            section = parts.count == 2 ? parts[0] : nil
            let name = (section == nil ? "" : "  ") + parts[parts.count - 1]
            switch file.value(setting) {
            case .text(let text): lines.append("\(name): \(Self.quoted(text))")
            case .number(let number): lines.append("\(name): \(number)")
            case .flag(let flag): lines.append("\(name): \(flag)")
            case .texts(let texts) where texts.isEmpty: lines.append("\(name): []")
            case .texts(let texts): lines += ["\(name):"] + texts.map { "    - \(Self.quoted($0))" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a text in single quotes, within which YAML treats only a quote specially.
    private static func quoted(_ text: String) -> String {
        text.isEmpty
            ? "\"\"" : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}
