/// Manual: items, receivers, and files at the receiver.
enum SendPage {
    static let text = """
        --to takes a name, the beginning of a fingerprint (8 characters or more), or host:port. Where a name could \
        mean two peers, they are listed and nothing is sent. A receiver listens on port 47217, or on another free \
        one if that is taken; --port of 'portolan receive' sets it.

        Each --as is one form of ONE item. Behind the type stands who may see it: 'all', 'team', 'group' or \
        'own-process'. A form that a peer may not see is not listed, not counted and cannot be asked for. The level \
        stays with the received file: one that came for the team is not passed on to other devices. That holds inside \
        a folder, too: a peer gets the files that it may see, each with its level, and learns nothing of the others; \
        files that were left out are named here, with their team or group. A file that gets the mark while it is sent \
        goes no further.

        Behind your own forms stand those that programs of this machine can make of them, where they are installed: \
        HEIC as JPEG, SVG as PNG, Markdown as HTML and more. 'portolan offer' shows them. One is made only when a \
        peer takes it, by a program that reaches its input, its output and no network; where a kernel cannot hold it \
        to that, 'portolan offer' says so.

        An arriving item is written to a hidden partial beside its destination, synced, and made visible in one step. \
        Another photo.png becomes “photo (2).png”: an existing file is never overwritten. Folders keep empty folders, \
        permissions, modification times to the nanosecond, holes, hard links, and symbolic links that stay inside; \
        --xattrs adds extended attributes. Set-user-ID, set-group-ID and sticky bits, access control lists and \
        capabilities of programs never travel. Properties that are not carried or kept are reported on both sides, \
        with --xattrs or without, and --require refuses to lose them: 'mode' the bits and the lists, 'xattrs' the \
        attributes and capabilities.

        An interrupted transfer is known by the sender's key and the path that it is sent from, not by its name. Its \
        partial is compared with the source before it counts, block by block; a file that has changed meanwhile comes \
        afresh. A pipe has no length, and half of one never passes for all. In a folder, other permissions of a file \
        are carried over, unless they were changed there: then those stay, and are reported. Where the receiver's \
        folder cannot keep extended attributes, nothing is recognised, and all of it is stored anew.

        An item that is sent to a team or group is marked for it, as if 'team' or 'group' stood behind each form \
        without a level. A receiver whose folder cannot keep marks declines it.

        A sending to a team waits for a member that was here lately and is not found at once: a minute, or as long as \
        --retry says if that is shorter.
        """
}
