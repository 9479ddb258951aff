import PortolanValues
import Testing
import UniformTypeIdentifiers

@testable import PortolanAgent

/// A policy of these rules, in the form of elements of `rules:`.
func policy(_ rules: String) throws -> OfferPolicy {
    try PolicyFile.parse("version: 1\nrules:\n" + rules).policy
}

/// An offer, written as in a test of a policy file.
func offer(_ text: String) throws -> PolicyOffer { try PolicyOffer.parse(text) }

extension OfferPolicy {
    /// Words of the verdicts on an offer.
    func words(_ text: String) throws -> [String] {
        verdicts(for: try offer(text)).map(\.action.kind.rawValue)
    }
}
