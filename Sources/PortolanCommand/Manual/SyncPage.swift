/// Manual: the promises of sync, and their limits.
enum SyncPage {
    static let text = """
        What it promises:

          * The folder has the same files on all devices that it is shared with, and nobody
            else learns that it exists. Deletions, renames, permission bits, times and
            links follow, times and a folder's bits without a conflict; .portolanignore has gitignore's rules.
          * No write is lost. What was changed on two devices while they were apart stays
            on both, one version as NAME (conflict of DEVICE, DATE, TAG), until a person
            settles it. An edit goes before a deletion.
          * What others replace or delete here goes to a history in the folder, for 30 days
            and up to 10 GiB. 'restore' and 'undo' put it back, on all devices; what they
            displace goes there as well.
          * A file counts as deleted only if somebody deleted it: an index that is lost or
            restored deletes nothing. A folder that is missing, emptied or on another file
            system is left alone and says so. A full disk pauses, and goes on when there is
            room.
          * A name that a file system cannot hold waits and is listed; it is neither
            renamed nor deleted elsewhere. What cannot be kept alike is listed as well, on
            the other devices too: they see what is held or not taken here.

        Rules of exclusion belong to each device. A line that anybody adds to .portolanignore counts at once. One that \
        others take away, or a negated one that they add, counts here only when you agree; until then 'portolan sync' \
        names the file and the command. What you change yourself counts after two seconds. What was excluded stays so \
        when a folder above it gets another name, as long as the line stands. Where the file cannot be read, has more \
        than 65536 bytes or 1024 rules, or is a link to anything but a file of yours, nothing new in its folder is \
        announced, and 'portolan sync' says so. What this device has accepted lies in .portolan-sync/rules, as does what \
        'sync forget' keeps here alone.

        Where a folder stands still, or something waits and there is no reason, 'sync check' compares the files with \
        what is known of them, and 'sync check --repair' makes that true again; no file is lost by it. A folder that is \
        empty or on another file system than before is started again by it too, after a question.

        For whom a folder is, the device that made it says: it signs that, and its word travels with the folder. All that have \
        the folder see the same list, with the names that the maker gave. No member can give it to others; 'join --only' and 'sync limit' limit it \
        for one device. 'sync sign' changes the list, also for a keeper that the maker has named with --keeper and, of a folder for one \
        team, for an admin of that team. Narrowing takes nothing back: who is no longer in the list keeps what has come, and \
        gets nothing new. A contact in the list gets the folder from those devices of which it is a contact.

        A member that is removed from a team goes on giving until a device hears of it. What it gave a device after the \
        removal was signed, by the clocks of the two, 'portolan sync' lists there until it is deleted or has a later version.

        A folder that an earlier version made goes to nobody until the device that added it has run this version, which signs by \
        itself. Where a maker is gone and has named no keeper, 'sync remove' and 'sync add' on one device make another folder of the same \
        files, and 'sync remove' and 'sync join' with the same path on the others take it: nothing is copied.

        'add' and 'join' take the ways of this one device, on which the others do not rely:

          * --mode send-only: nothing that others change is made here. Where both sides
            change a file, the others have both versions.
          * --mode receive-only: nothing that is changed here changes the others. A file
            that was changed here stays and is listed, and theirs waits: 'resolve --keep
            theirs' puts it away. What is deleted here comes back.
          * --keep: what others delete stays here; who changes it has it back on all
            devices.

        What it does not:

          * It is no backup. What a person replaces or deletes is in the history of the
            other devices, not in that of the one where it was done.
          * A member that may write may also delete; the others have their guards and
            histories, and send-only where nobody is to change anything.
          * A database or a repository is many files to it: close it before another device
            opens its copy. Owners, setuid, setgid and sticky bits, access lists, sockets and devices do not travel, nor
            links that lead out of the folder. Of extended attributes those of files in the
            space user. do, up to 1,024 bytes of each file: the rest stays where it is.
          * A file that is for a team or group alone waits, and is listed, while others may
            have the folder. A member that comes later and may not see such a file is told
            nothing of the folder. An edit of the file is for the same people.
          * 'undo' takes back what was replaced or deleted, not what was added or renamed.

        The agent keeps the folders alike where it runs, and then 'sync run' does not. For a folder that 'add' or \
        'join' brings while it runs it starts again by itself, within seconds, since it can write only to those that \
        it knew at its start; the two commands return when it has the folder, and 'wait' and 'events --follow' go on \
        with the next one. What was under way goes on as well. 'portolan events' has folder.joined, .changed, .held, \
        .skipped, .lacking, .halted and .unwatched.
        """
}
