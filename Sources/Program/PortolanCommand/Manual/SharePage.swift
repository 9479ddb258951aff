/// Manual: items on offer.
enum SharePage {
    static let text = """
        The shared file itself is given: its content may change, and an editor may replace a file by another one of \
        the same owner in the same folder. Items that a peer may not see are not listed, and a request for one gets \
        the same answer as one for an item that does not exist. A second process of this device, such as 'share' \
        beside 'receive', has a port of its own: 'ls' shows the items that all of them share, and items for this \
        device go to the one that receives.
        """
}
