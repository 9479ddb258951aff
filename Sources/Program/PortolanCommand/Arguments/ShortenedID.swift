import PortolanClient
import PortolanValues

/// An identifier of the agent's, as the command line may shorten it to its beginning.
struct ShortenedID {
    let text: String

    /// Returns the identifier that begins with this text.
    ///
    /// - Parameters:
    ///   - found: all identifiers.
    ///   - kind: kind of the identified things, such as `parcel`.
    ///   - place: their place, such as `in the outbox`.
    /// - Throws: `CommandFailure` if there is none, or more than one.
    func only(
        among found: some Sequence<AgentAPI.ID>, _ kind: String, _ place: String
    ) throws(CommandFailure) -> AgentAPI.ID {
        let found = found.filter { !text.isEmpty && $0.description.hasPrefix(text) }
        let shown = DisplayText(text, limit: 40)
        guard let id = found.first else {
            throw CommandFailure(.unreachable, "There is no \(kind) “\(shown)” \(place).")
        }
        guard found.count == 1 else {
            throw CommandFailure(.unreachable, "“\(shown)” is the beginning of \(found.count) \(kind)s.")
        }
        return id
    }
}
