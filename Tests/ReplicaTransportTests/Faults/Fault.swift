import StoreBasics
import TestBasics

/// What goes wrong in a round.
enum Fault: String, CaseIterable {
    // Of a device.
    case daemonKilled, agentKilled, agentFrozen
    // Of a server.
    case nodeKilled, leaderKilled, leaderStepsDown, nodeFrozen, nodeWiped
    // Of the network, in namespaces alone.
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

    /// One of a server or the network, one of a device, or one of each: with two of three servers in trouble at once
    /// a cluster may lose what it has confirmed.
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

/// A fault that lasts until it is ended.
struct FaultUnderWay {
    let description: String
    let end: () async throws -> Void
}
