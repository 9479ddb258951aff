/// Manual: items on offer.
enum SharePage {
    static let text = """
        What was shared is what is given: content may change, and an editor may replace a file by another one of the \
        same owner in the same folder. What somebody may not see is not listed, and asking for it gets the same \
        answer as asking for what does not exist. A second process of this device, such as 'share' beside 'receive', \
        has a port of its own: 'ls' shows what all of them share, and what is sent to this device goes to the one \
        that receives.
        """
}
