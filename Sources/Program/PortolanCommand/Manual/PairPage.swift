/// Manual: attackers between two devices that pair.
enum PairPage {
    static let text = """
        A device in between cannot guess its way in: an attacker has one guess in 262,144. Other users of a machine \
        can see the words of a command line; --enter asks for the code, - reads it from standard input, --code-fd N \
        from a descriptor. --qr draws it (with libqrencode4).
        """
}
