import Portolan
import PortolanConfiguration

extension SendCommand: PlainlyRead {
    static var unset: Self {
        var command = Self()
        command.options = .unset
        command.to = []
        command.name = nil
        command.unmarked = false
        command.made = .unset
        command.awaiting = .unset
        command.queueing = .unset
        command.transfer = .unset
        command.network = .unset
        command.shared = .unset
        return command
    }

    var isComplete: Bool { !to.isEmpty && (try? options.validate()) != nil }

    mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) {
        switch option {
        case "--text": options.text.append(try words.value())
        case "--to": to.append(try words.value())
        case "--title":
            try words.once(option)
            options.title = try words.value()
        case "--type":
            try words.once(option)
            options.type = try words.value { word throws(ValueError) in try TypeSyntax.parse(word) }
        case "--no-converters":
            try words.once(option)
            options.withoutConverters = true
        case "--queue":
            try words.once(option)
            queueing.queue = true
        case "--no-agent":
            try words.once(option)
            queueing.agent.withoutAgent = true
        default:
            if try !network.take(option, &words) { try shared.take(option, &words) }
        }
    }

    mutating func take(path: String) { options.paths.append(path) }
}

extension ReceiveCommand: PlainlyRead {
    static var unset: Self {
        var command = Self()
        command.into = nil
        command.accept = []
        command.output = nil
        command.limitRate = nil
        command.reserve = nil
        command.maxSize = nil
        command.once = false
        command.omissions = .unset
        command.yes = false
        command.from = []
        command.sharedPaths = []
        command.agent = .unset
        command.entered = .unset
        command.wait = nil
        command.search = .unset
        command.listening = .unset
        command.network = .unset
        command.shared = .unset
        return command
    }

    mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) {
        switch option {
        case "--into":
            try words.once(option)
            into = try words.value()
        case "--accept":
            accept.append(try words.value { word throws(ValueError) in try TypeSyntax.parse(word) })
        case "--once":
            try words.once(option)
            once = true
        case "--yes", "-y":
            try words.once("--yes")
            yes = true
        case "--no-agent":
            try words.once(option)
            agent.withoutAgent = true
        case "--port":
            try words.once(option)
            listening.port = try words.value { word throws(ValueError) in try PortSyntax.parse(word) }
        default:
            if try !network.take(option, &words) { try shared.take(option, &words) }
        }
    }
}

extension IdCommand: PlainlyRead {
    static var unset: Self {
        var command = Self()
        command.name = nil
        command.newKey = false
        command.keepKey = false
        command.shared = .unset
        return command
    }

    mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) {
        try shared.take(option, &words)
    }
}
