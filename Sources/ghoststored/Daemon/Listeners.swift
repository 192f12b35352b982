internal import Logging
internal import StoreServer

/// The sockets to serve: inherited ones if the service manager passed any, else one of our own.
enum Listeners {
    /// - Throws: `DaemonError`.
    static func open(
        _ configuration: DaemonConfiguration, inherited: [ListeningSocket], accounts: AccountDirectory, logger: Logger
    ) throws(DaemonError) -> [ListeningSocket] {
        guard inherited.isEmpty else { return inherited }
        do {
            let socket = try ListeningSocket.create(
                path: configuration.socketPath, group: group(configuration, accounts, logger), logger: logger)
            return [socket]
        } catch {
            throw DaemonError(error)
        }
    }

    private static func group(
        _ configuration: DaemonConfiguration, _ accounts: AccountDirectory, _ logger: Logger
    ) -> UInt32? {
        guard let name = configuration.socketGroup else { return nil }
        let group = accounts.group(name)
        if group == nil {
            logger.notice(
                "there is no such group: only root and the daemon's own user and group may connect",
                metadata: ["group": "\(name)"])
        }
        return group
    }
}
