import Portolan
import PortolanOutbox

extension Advice {
    /// Sentence that names the command or the option that helps; follows the sentence of the error.
    var sentence: String {
        switch self {
        case .renameDevice: "Run: portolan id --name NAME"
        case .chooseHome: "The option for another directory is --home."
        case .choosePort: "The option for another port is --port."
        case .giveAddress: "The option for an address is --at HOST:PORT."
        case .startReceiver: "'portolan receive' has to run there."
        case .startPairing: "'portolan pair' has to run there."
        case .startSending: "'portolan send FILE' shows a code there, and has to run until it is entered."
        case .startInvitation: "'portolan team invite' has to run there."
        case .listContacts: "'portolan contacts' lists them."
        case .listTeams: "'portolan team list' shows those there are."
        case .listMembers: "'portolan team show' lists the members."
        case .makeTeam: "Make one with 'portolan team create NAME'."
        case .joinTeam: "Join one with 'portolan team join'."
        case .makeOrJoinTeam: "Make one with 'portolan team create NAME', or join one with 'portolan team join'."
        case .chooseTeam: "To choose: portolan team use NAME"
        case .leaveTeam(let team): "To leave it: portolan team leave \(team.map { "\($0)" } ?? "NAME")"
        case .inviteMembers: "'portolan team invite' takes others in."
        case .askForInvitation: "An admin invites with 'portolan team invite'."
        case .promoteMember: "Run: portolan team promote NAME"
        case .renewTeam(let team): "This renews it: portolan team renew \(DisplayText.shellWord(team.text))"
        case .tellNamesakesApart(let namesakes): namesakes.sentence
        }
    }
}

extension Advice.Namesakes {
    fileprivate var sentence: String {
        let forget = "portolan peers --forget \(DisplayText.shellWord(known.text))"
        let same = "The same device, set up anew: \(forget)"
        guard let other else { return same }
        let name = otherName.map { ", to be “\($0)” here" } ?? ""
        let pairing = isByAddress ? ", or portolan pair" : ""
        return "\(same). Another one\(name): --to \(FingerprintText.short(other))\(pairing)"
    }
}

extension NodeError {
    /// The error's sentence with advice, and the command or option that helps.
    var fullSentence: String {
        ([description, fault?.remedy, advice?.sentence, fault?.examination] as [String?]).compactMap(\.self)
            .joined(separator: " ")
    }

    /// The error's sentence with the command or option that helps, for lists in which the advice would be repeated.
    var shortSentence: String { advice.map { "\(description) \($0.sentence)" } ?? description }
}

extension StoreError {
    /// The error's sentence, and which command or option helps.
    var fullSentence: String { advice.map { "\(description) \($0.sentence)" } ?? description }
}

extension RegisterError {
    /// The error's sentence, and which command helps.
    var fullSentence: String {
        switch self {
        case .unknown(let id): "There is no transfer “\(id)”; 'portolan transfers' shows those there are."
        case .idle(let id): "\(description) To take it off the list: portolan transfers forget \(id)"
        case .queued(let id): "\(description) For this: portolan outbox show, cancel or retry \(id)"
        case .running(let id): "\(description) To stop it: portolan transfers cancel \(id)"
        case .stopped: "It was stopped with 'portolan transfers cancel'."
        }
    }
}

extension HomeError {
    /// The error's sentence, and which option helps.
    var fullSentence: String {
        switch self {
        case .noHome: "\(description) \(Advice.chooseHome.sentence)"
        case .emptyOverride: "\(description) Name one, or leave --home out."
        case .notText: "\(description) \(Advice.chooseHome.sentence)"
        case .noWorkingFolder, .foreign: description
        }
    }
}

/// Advice on a key that several machines use; follows the sentence that reports it.
enum CloneAdvice {
    static let sentence =
        "'portolan id' shows a device's own fingerprint, and 'portolan id --new-key' gives it another key."
}
