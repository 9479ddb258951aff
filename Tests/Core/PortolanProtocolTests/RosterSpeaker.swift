import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Testing

/// Suite that sends rosters with unread content: teams go by a number, heads by a mark.
protocol RosterSpeaker {}

extension RosterSpeaker {
    func team(_ number: UInt8) throws -> TeamID {
        try #require(TeamID(bytes: [number] + [UInt8](repeating: 7, count: 15)))
    }

    func head(_ mark: UInt8, size: Int = 3) throws -> RosterHead {
        try RosterHead(
            roster: [UInt8](repeating: mark, count: size), signature: [UInt8](repeating: mark, count: 64),
            secret: SecretBytes(copying: [UInt8](repeating: mark, count: 32)))
    }

    func digest(_ marks: [UInt8]) -> [UInt8] { Array((marks + [UInt8](repeating: 0, count: 32)).prefix(32)) }

    /// Returns a team with the heads of these marks.
    func shared(_ number: UInt8, _ marks: UInt8..., size: Int = 3) throws -> SharedTeam {
        SharedTeam(
            team: try team(number), digest: digest(marks), heads: try marks.map { try head($0, size: size) })
    }

    func teamUpdate(
        _ number: UInt8, _ index: UInt32 = 0, of count: UInt32 = 1, _ mark: UInt8 = 1, size: Int = 3
    ) throws -> Message.TeamUpdate {
        try Message.TeamUpdate(team: team(number), index: index, count: count, head: head(mark, size: size))
    }
}
