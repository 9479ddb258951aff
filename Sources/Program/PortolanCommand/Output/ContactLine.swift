import Portolan

/// Line about a contact.
enum ContactLine {
    /// - Parameter inFull: true if the whole key is shown.
    static func text(_ contact: Contact, inFull: Bool = false) -> String {
        let other = contact.announcedName == contact.name ? "" : "  calls itself “\(contact.announcedName)”"
        return
            "“\(contact.name)”  \(FingerprintText.text(contact.fingerprint, inFull: inFull))  since \(Human.day(contact.since)), "
            + "last seen \(Human.minute(contact.lastSeen))\(other)"
    }
}
