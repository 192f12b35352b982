import StoreBasics
import TestBasics

enum Fault: String, CaseIterable {
    // Faults of a device.
    case daemonKilled, agentKilled, agentFrozen
    // Faults of a server.
    case nodeKilled, leaderKilled, leaderStepsDown, nodeFrozen, nodeWiped
    // Faults of the network, which need namespaces.
    case nodeAlone, deviceAlone, minorityWithDevice, slowNode, slowDevice

    enum Kind {
        case device, server, network
    }

    var kind: Kind {
        switch self {
        case .daemonKilled, .agentKilled, .agentFrozen: .device
        case .nodeKilled, .leaderKilled, .leaderStepsDown, .nodeFrozen, .nodeWiped: .server
        case .nodeAlone, .deviceAlone, .minorityWithDevice, .slowNode, .slowDevice: .network
        }
    }

    /// Returns a fault of a server or the network, a fault of a device, or one of each. Never more, because a cluster
    /// in which two of three servers have trouble at once may lose confirmed messages.
    static func choose(inNamespaces: Bool, _ random: inout SplitMix) -> [Fault] {
        let wanted = allCases.filter { LongRuns.faults.isEmpty || LongRuns.faults.contains($0.rawValue) }
        let outer = wanted.filter { $0.kind == .server || inNamespaces && $0.kind == .network }
        let inner = wanted.filter { $0.kind == .device }
        let chosen = [outer.randomElement(using: &random), inner.randomElement(using: &random)].compactMap { $0 }
        return switch Int.random(in: 0..<4, using: &random) {
        case 0...1: Array(chosen.prefix(1))
        case 2: Array(chosen.suffix(1))
        default: chosen
        }
    }
}

/// A fault that lasts until `end` is called.
struct FaultUnderWay {
    let description: String
    let end: () async throws -> Void
}
