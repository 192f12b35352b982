import Logging
import ReplicaTransport
import ServiceSupport

/// All keys of the configuration. config/ghoststore-sync.yaml describes each for people and contains exactly these
/// defaults.
enum SyncSetting: String, CaseIterable, Sendable {
    case socket
    case metricsFile = "metrics_file"
    case logLevel = "log_level"
    case folder
    case servers = "nats.servers"
    case credentialsFile = "nats.credentials_file"
    case certificateAuthority = "nats.certificate_authority"
    case certificate = "nats.certificate"
    case privateKey = "nats.private_key"
    case streamName = "stream.name"
    case replicas = "stream.replicas"
    case messageBytesMax = "stream.message_bytes_max"
    case bytesMax = "stream.bytes_max"
    case ageSecondsMax = "stream.age_seconds_max"
    case duplicateWindowSeconds = "stream.duplicate_window_seconds"
    case adjust = "stream.adjust"
    case bytesInFlight = "limits.bytes_in_flight"
    case roundBytes = "limits.round_bytes"
    case channelsMax = "limits.channels_max"

    enum Kind: Sendable {
        /// An absolute path. An optional path may also be empty.
        case path(isOptional: Bool)
        case word([String])
        case name
        case number(ClosedRange<Int>)
        case flag
        case addresses
    }

    enum Value: Sendable, Hashable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case texts([String])
    }

    var kind: Kind {
        switch self {
        case .socket: .path(isOptional: false)
        case .metricsFile, .folder, .credentialsFile, .certificateAuthority, .certificate, .privateKey:
            .path(isOptional: true)
        case .logLevel: .word(LogLevelControl.names)
        case .servers: .addresses
        case .streamName: .name
        case .replicas: .number(1...5)
        case .messageBytesMax: .number(65_536...(8 << 20))
        case .bytesMax: .number(0...(1 << 50))
        case .ageSecondsMax: .number(0...(10 * 366 * 86_400))
        case .duplicateWindowSeconds: .number(120...86_400)
        case .adjust: .flag
        case .bytesInFlight: .number((1 << 20)...(1 << 30))
        case .roundBytes: .number(65_536...(64 << 20))
        case .channelsMax: .number(4...200)
        }
    }

    private static let limits = AgentLimits()
    private static let stream = StreamSettings(name: "ghoststore")

    var defaultValue: Value {
        switch self {
        case .socket: .text("/run/ghoststore/socket")
        case .metricsFile, .folder, .credentialsFile, .certificateAuthority, .certificate, .privateKey: .text("")
        case .logLevel: .text(Logger.Level.info.rawValue)
        case .servers: .texts([])
        case .streamName: .text(Self.stream.name)
        case .replicas: .number(Self.stream.replicas)
        case .messageBytesMax: .number(Self.stream.messageBytesMax)
        case .bytesMax: .number(Int(Self.stream.bytesMax ?? 0))
        case .ageSecondsMax: .number(Int(Self.stream.ageMax?.components.seconds ?? 0))
        case .duplicateWindowSeconds: .number(Int(Self.stream.duplicateWindow.components.seconds))
        case .adjust: .flag(false)
        case .bytesInFlight: .number(Self.limits.bytesInFlight)
        case .roundBytes: .number(Self.limits.roundBytes)
        case .channelsMax: .number(Self.limits.channelsMax)
        }
    }

    var expectation: String {
        switch kind {
        case .path(let isOptional): "an absolute path" + (isOptional ? ", or \"\" for none" : "")
        case .word(let words): "one of \(words.joined(separator: ", "))"
        case .name: "a name of at most 64 letters, digits, - and _"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .addresses: "a list of addresses, such as tls://host:4222"
        }
    }
}
