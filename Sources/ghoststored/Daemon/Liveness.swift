internal import StoreEngine
internal import StoreServer

/// What must answer for the watchdog to be told that the daemon is alive.
enum Liveness {
    static func probes(engine: StoreEngine, server: StoreServer) -> [WatchdogProbe] {
        [
            WatchdogProbe(name: "writer") { engine.askWriter($0) },
            WatchdogProbe(name: "event loop") { server.askEventLoops($0) },
        ]
    }
}
