import Portolan
import PortolanConfiguration

extension SharedOptions {
    static var unset: Self {
        var options = Self()
        options.home = nil
        options.config = nil
        options.json = false
        options.quiet = false
        options.verbose = false
        return options
    }

    /// Reads one of these options; any other makes the command line not plain.
    mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) {
        switch option {
        case "--home":
            try words.once(option)
            home = try words.value()
        case "--json":
            try words.once(option)
            json = true
        case "--quiet", "-q":
            try words.once("--quiet")
            quiet = true
        default: throw NotPlain()
        }
    }
}

extension NetworkOptions {
    static var unset: Self {
        var options = Self()
        options.interfaces = []
        options.discovery = nil
        return options
    }

    /// - Returns: true if the option is one of these.
    mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) -> Bool {
        switch option {
        case "--interface": interfaces.append(try words.value())
        case "--discovery":
            try words.once(option)
            discovery = try words.value { word throws(ValueError) in try DiscoverySyntax.parse(word) }
        default: return false
        }
        return true
    }
}

extension ListeningOptions {
    static var unset: Self {
        var options = Self()
        options.discoverable = nil
        options.port = nil
        options.name = nil
        return options
    }
}

extension ItemOptions {
    static var unset: Self {
        var options = Self()
        options.paths = []
        options.text = []
        options.representations = []
        options.type = nil
        options.title = nil
        options.message = nil
        options.image = nil
        options.icon = nil
        options.withoutConverters = false
        options.team = nil
        options.groups = []
        return options
    }
}

extension AwaitingOptions {
    static var unset: Self {
        var options = Self()
        options.wait = nil
        return options
    }
}

extension QueueOptions {
    static var unset: Self {
        var options = Self()
        options.queue = false
        options.expires = nil
        options.copy = false
        options.agent = .unset
        return options
    }
}

extension AgentOptions {
    static var unset: Self {
        var options = Self()
        options.withoutAgent = false
        return options
    }
}

extension TransferOptions {
    static var unset: Self {
        var options = Self()
        options.limitRate = nil
        options.compress = .automatic
        options.require = RequirementArgument()
        options.xattrs = false
        options.omissions = .unset
        options.retrying = .unset
        return options
    }
}

extension OmissionOptions {
    static var unset: Self {
        var options = Self()
        options.allowOmissions = false
        return options
    }
}

extension RetryOptions {
    static var unset: Self {
        var options = Self()
        options.retry = nil
        options.stallTimeout = nil
        return options
    }
}

extension CodeOptions {
    static var unset: Self {
        var options = Self()
        options.valid = nil
        options.qr = false
        return options
    }
}

extension CodeArguments {
    static var unset: Self {
        var options = Self()
        options.code = nil
        options.descriptor = nil
        return options
    }
}

extension CodePlace {
    static var unset: Self {
        var options = Self()
        options.place = nil
        return options
    }
}
