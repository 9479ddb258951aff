/// Manual: the files that are stored.
enum ReceivePage {
    static let text = """
        No more is stored of an item than was offered and accepted. Folders and streams have no size then, and are \
        shown so; --max-size binds them while they come. Without --reserve, 1 % of the disk, at most 256 MiB, stays \
        free. A part that cannot be read at the sender, changes meanwhile or cannot be stored here is left out and \
        reported; of a part whose level its sender cannot read, this device learns that it is missing, and not its \
        name.

        A link on the way to the folder is followed only where you and root alone can put another one in its place; \
        missing folders are made for you alone. Where others may write, the folder has to stay the one that it was at \
        the start. Items are not received among the program's own files.
        """
}
