import ArgumentParser

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print a completion script for a shell.",
        discussion: """
            bash:  ghoststorectl completions bash > /etc/bash_completion.d/ghoststorectl
            zsh:   ghoststorectl completions zsh > "${fpath[1]}/_ghoststorectl"
            fish:  ghoststorectl completions fish > ~/.config/fish/completions/ghoststorectl.fish
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash
        case zsh
        case fish
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        let output = Output(isJSON: false)
        try output.line(RootCommand.completionScript(for: CompletionShell(shell)))
        try output.flush()
    }
}

extension CompletionShell {
    fileprivate init(_ shell: CompletionsCommand.Shell) {
        switch shell {
        case .bash: self = .bash
        case .zsh: self = .zsh
        case .fish: self = .fish
        }
    }
}
