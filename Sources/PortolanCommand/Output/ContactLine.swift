import Foundation
import Portolan
import PortolanCrypto
import PortolanTrust

/// How a contact is shown.
enum ContactLine {
    static func text(_ contact: Contact) -> String {
        let other = contact.announcedName == contact.name ? "" : "  calls itself “\(contact.announcedName)”"
        return "“\(contact.name)”  \(contact.fingerprint)  since \(Human.day(contact.since)), "
            + "last seen \(Human.minute(contact.lastSeen))\(other)"
    }
}

extension Event {
    static func contact(_ contact: Contact, kind: EventKind = .contact) -> Event {
        Event(
            kind,
            [
                "name": .string(contact.name.text), "announcedName": .string(contact.announcedName.text),
                "fingerprint": .string(contact.fingerprint.description), "since": .date(contact.since),
                "lastSeen": .date(contact.lastSeen),
            ])
    }
}
