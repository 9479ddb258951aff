import Foundation
import Portolan
import PortolanCrypto
import PortolanValues

/// How a contact is shown.
enum ContactLine {
    static func text(_ contact: Contact) -> String {
        let other = contact.announcedName == contact.name ? "" : "  calls itself “\(contact.announcedName)”"
        return "“\(contact.name)”  \(contact.fingerprint)  since \(Human.day(contact.since)), "
            + "last seen \(Human.minute(contact.lastSeen))\(other)"
    }
}
