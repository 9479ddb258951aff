/// Keys and names: a part of the manual.
enum IdentityPage {
    static let text = """
        Any peer may connect, and proves only that it holds its key: compare fingerprints if it matters who it is. A \
        name that was met before belongs to its key. Another key under that name may be another device of the same \
        name, the same device set up anew, or an impostor, and both sides are told:

          * --to NAME sends to the known key only. If only the other one answers, nothing
            is sent, not even your name, and the message shows both fingerprints. --to with
            the beginning of its fingerprint sends to it, and keeps it as NAME (2); if it is
            the same device, set up anew: portolan peers --forget NAME.
          * --to with the name of a member of your team whom you have not met yet sends to
            that member. Another device of that name, met or not, is listed beside it, and
            you choose by the fingerprint.
          * A receiver at a terminal is asked, with both fingerprints, and a yes keeps the
            device as NAME (2). With --yes or without a terminal its offers are declined,
            and its sender is told to take another name (portolan id --name NAME), to have
            a person there answer the question, or to pair. Members of your teams are known
            by their keys, under any names.
          * A code that was entered is a confirmation: a device that pairs or joins under a
            taken name is NAME (2).

        Keys and memory lie in the XDG directories, or all under --home DIR (PORTOLAN_HOME). A configuration that \
        another user could have written is not obeyed: the file, its folder and DIR belong to you or root, and no \
        other user may write to them.

        Keys stay in memory that is left out of core dumps and wiped after use. 'portolan' also forbids core dumps \
        and debuggers for its own process; only root can attach.
        """
}
