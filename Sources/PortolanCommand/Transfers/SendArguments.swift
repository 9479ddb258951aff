/// The command line of a sending as it can be run again.
enum SendArguments {
    /// What this process was started with, behind `send`.
    static var ofThisProcess: [String] {
        lasting(CommandLine.arguments.drop { $0 != SendCommand.name }.dropFirst())
    }

    /// Leaves out what belongs to one run and not to what is sent: where the state is, and how it is told.
    static func lasting(_ arguments: some Sequence<String>) -> [String] {
        var lasting: [String] = []
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--json", "--quiet", "-q": continue
            case "--home": _ = arguments.next()
            case _ where argument.hasPrefix("--home="): continue
            case "--":
                // Whatever follows is a path.
                lasting.append(argument)
                while let path = arguments.next() { lasting.append(path) }
            default: lasting.append(argument)
            }
        }
        return lasting
    }
}
