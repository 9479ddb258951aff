import PortolanDiscovery
import PortolanValues

/// Addresses of a peer at which the connection failed, each with the observed reaction.
package struct ConnectionFault: Hashable, Sendable {
    package struct Attempt: Hashable, Sendable {
        package let address: NetworkAddress
        package let reaction: AddressReaction

        package init(_ address: NetworkAddress, _ reaction: AddressReaction) {
            self.address = address
            self.reaction = reaction
        }
    }

    /// Explanation of several failed attempts; the case with the most explanatory power comes first.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        case refused
        case silent
        case hostUnreachable
        case networkUnreachable
        case failed
        /// There was no address to try.
        case noAddress
    }

    /// Attempts in their order, the most likely address first.
    package let attempts: [Attempt]
    package let kind: Kind
    /// Name of the peer for people; nil if it has none.
    package var peer: String?
    /// Whole seconds that the attempts had.
    private let seconds: Int64

    /// - Parameters:
    ///   - patience: duration of the attempts.
    ///   - own: addresses of this machine. A peer may announce addresses of its bridges which are addresses of this
    ///     machine as well; an answer there does not come from the peer.
    package init(_ attempts: [Attempt], within patience: Duration, own: Set<IPAddress> = []) {
        self.attempts = attempts
        seconds = patience.components.seconds
        let foreign = attempts.filter { !own.contains($0.address.ip) }
        let telling = foreign.isEmpty ? attempts : foreign
        kind = telling.map { Kind($0.reaction) }.min { $0.rawValue < $1.rawValue } ?? .noAddress
    }

    /// The port that was tried first.
    package var port: UInt16? { attempts.first?.address.port }
}

extension ConnectionFault.Kind {
    fileprivate init(_ reaction: AddressReaction) {
        self =
            switch reaction {
            case .refused: .refused
            case .silent: .silent
            case .hostUnreachable: .hostUnreachable
            case .networkUnreachable: .networkUnreachable
            case .failed: .failed
            }
    }
}

extension ConnectionFault: CustomStringConvertible {
    /// Most columns for several addresses of one kind, so that the sentence stays readable.
    private static let room = 56

    package var description: String {
        // An address that was given is listed once.
        let isAddress = attempts.count == 1 && peer == attempts.first.map { "\($0.address)" }
        let name = isAddress ? nil : peer.map { " to “\(DisplayText($0, limit: 30))”" }
        guard !attempts.isEmpty else { return "No connection\(name ?? ""): it has no address that can be tried." }
        // The reaction that explains the fault comes first.
        let reactions = attempts.map(\.reaction).reduce(into: [AddressReaction]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        let parts = reactions.sorted { rank($0) < rank($1) }.map { reaction in
            sentence(reaction, attempts.filter { $0.reaction == reaction }.map { "\($0.address)" })
        }
        let rest = parts.count - 2
        return "No connection\(name ?? ""): " + parts.prefix(2).joined(separator: "; ")
            + (rest > 0 ? "; others failed otherwise." : ".")
    }

    private func rank(_ reaction: AddressReaction) -> Int {
        Kind(reaction) == kind ? -1 : Kind(reaction).rawValue
    }

    private func sentence(_ reaction: AddressReaction, _ addresses: [String]) -> String {
        let places = Self.listed(addresses)
        return switch reaction {
        case .refused: "\(places) refused it"
        case .silent: "nothing came back from \(places) within \(seconds) s"
        case .hostUnreachable(let reason): "nobody was reached at \(places) (\(reason))"
        case .networkUnreachable(let reason): "there is no way to \(places) (\(reason))"
        case .failed(let reason): "\(places) could not be connected to (\(reason))"
        }
    }

    /// Lists as many addresses as fit, and the number of the rest.
    private static func listed(_ addresses: [String]) -> String {
        var shown: [String] = []
        var used = 0
        for address in addresses {
            used += address.utf8.count + 2
            guard shown.isEmpty || used <= room else { break }
            shown.append(address)
        }
        let rest = addresses.count - shown.count
        if rest > 0 { return shown.joined(separator: ", ") + " and \(rest) more" }
        guard shown.count > 1, let last = shown.last else { return shown.joined() }
        return shown.dropLast().joined(separator: ", ") + " and " + last
    }
}
