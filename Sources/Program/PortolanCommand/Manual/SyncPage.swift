/// Manual: the promises of sync, and their limits.
enum SyncPage {
    static let text = """
        Promises:

          * The folder has the same files on all devices that it is shared with, and no
            other device learns that it exists. Deletions, renames, permission bits, times and
            links follow, times and a folder's bits without a conflict; .portolanignore has gitignore's rules.
          * No write is lost. A file that was changed on two devices while they were apart
            stays on both, one version as NAME (conflict of DEVICE, DATE, TAG), until a
            person settles it. An edit goes before a deletion.
          * Files that others replace or delete here go to a history in the folder, for 30
            days and up to 10 GiB. 'restore' and 'undo' put them back, on all devices; the
            files that they displace go there as well.
          * A file counts as deleted only if a person or program deleted it: a lost or
            restored index deletes nothing. A folder that is missing, emptied or on another
            file system is left alone and says so. A full disk pauses, and goes on when
            there is room.
          * A name that a file system cannot hold waits and is listed; it is neither
            renamed nor deleted elsewhere. Entries that cannot be kept alike are listed as
            well, on the other devices too: they see the entries held or not taken here.

        Rules of exclusion belong to each device. A line that is added to .portolanignore counts at once. One that \
        others take away, or a negated one that they add, counts here only when you agree; until then 'portolan sync' \
        names the file and the command. Your own changes count after two seconds. An excluded file stays so \
        when a folder above it gets another name, as long as the line stands. If the file cannot be read, has more \
        than 65536 bytes or 1024 rules, or is a link to anything but a file of yours, no new entry of its folder is \
        announced, and 'portolan sync' says so. The rules that this device has accepted lie in .portolan-sync/rules, as do \
        the paths that 'sync forget' keeps here alone.

        If a folder stands still, or a change waits without a reason, 'sync check' compares the files with the index, and \
        'sync check --repair' makes the index true again; no file is lost by it. A folder that is \
        empty or on another file system than before is started again by it too, after a question.

        The device that made a folder signs its audience, and the signed list travels with the folder. All that have \
        the folder see the same list, with the names that the maker gave. No member can give it to others; 'join --only' and 'sync limit' limit it \
        for one device. 'sync sign' changes the list, also for a keeper that the maker has named with --keeper and, of a folder for one \
        team, for an admin of that team. Narrowing takes nothing back: a device that is no longer in the list keeps its files, and \
        gets no new ones. A contact in the list gets the folder from those devices of which it is a contact.

        A member that is removed from a team goes on giving until a device hears of it. 'portolan sync' lists there the files that it gave a \
        device after the removal was signed, by the clocks of the two, until they are deleted or have a later version.

        A folder that an earlier version made goes to no device until the one that added it has run this version, which signs by \
        itself. If a maker is gone and has named no keeper, 'sync remove' and 'sync add' on one device make another folder of the same \
        files, and 'sync remove' and 'sync join' with the same path on the others take it: nothing is copied.

        An SQLite database is one thing, with its log and its journal. It is read whole while programs write, and the version of others is \
        put into the file that is there in one transaction: a program that has it open sees the earlier state or the new one. Rows are \
        not merged: databases that were written on two devices apart are two afterwards, beside each other. Between two looks at a \
        database is half a second at least, and ten times as long as a look takes. Writing puts all pages into the file, so that a large one costs its \
        size each time, on the disk and not on the network.

          * A database that others moved, removed or replaced by another file waits while a
            program here has it open, and so does one whose conflict is here: 'sync' lists
            it. The same goes for 'restore' and 'resolve'.
          * One without a log (journal mode DELETE) in which a program writes without a
            pause waits for one where it has more than 32 MiB.
          * Of a database the history keeps one replaced version in ten minutes. A copy of
            its present state is in .portolan-sync while members need it.
          * An encrypted database has no header and is a file like others. Programs that use
            no locks (nolock, unix-dotfile), or keep the database for themselves (locking
            mode EXCLUSIVE), are not handled: keep such ones closed, or out of the folder.

        A repository of git is one thing, too. Its objects and references go through git itself, on each device: commits, branches, tags, \
        the head and staged files of one device come to the others. Hooks, settings, the stash and the log of references stay where they \
        are, and 'git gc' and 'git prune' are each device's own. The folder .git/portolan has the words of \
        the devices to each other, and .git/portolan-local the memory of this one.

          * A branch moves if it stands where the devices last agreed, or if the other
            device's commit descends from this one's. Otherwise the other one's is here as
            refs/portolan/DEVICE/heads/BRANCH, and 'sync' has the command that shows it.
            'git merge' joins both. Where a tag differs, 'git update-ref -d' of the other
            one's, as it is shown here, makes this one's count.
          * The head and staged files come along unless something else is staged here, or a
            merge or rebase is not done. Files of the work tree are kept alike as others:
            after work on two devices at once those of the other one show as modified.
          * A device without git passes the changes on, and has no repository.
          * Left alone, with a word of 'sync': a .git that is a file (submodules and linked
            work trees), repositories that take objects from others (alternates), shallow
            and partial clones, references in tables (reftable). A bare repository, which
            has no .git, is files like others: keep it out of the folder.
          * A deleted work tree leaves its .git on the other devices.

        'add' and 'join' take the ways of this one device, on which the others do not rely:

          * --mode send-only: changes of others are not made here. If both sides change a
            file, the others have both versions.
          * --mode receive-only: changes made here do not change the others. A file that
            was changed here stays and is listed, and theirs waits: 'resolve --keep
            theirs' puts it away. A file that is deleted here comes back.
          * --keep: files that others delete stay here; an edit of one brings it back on
            all devices.

        Limits:

          * It is no backup. Files that a person replaces or deletes are in the history of
            the other devices, not in that of the one where it was done.
          * A member that may write may also delete; the others have their guards and
            histories, and send-only against changes of others.
          * A repository is many files to it: let one device work in it at a time, and wait
            until 'sync' lists nothing before the next one does. Owners, setuid, setgid and sticky bits, access lists, sockets and devices do not travel, nor
            links that lead out of the folder. Of extended attributes those of files in the
            space user. do, up to 1,024 bytes of each file: the rest stays where it is.
          * A file that is for a team or group alone waits, and is listed, while others may
            have the folder. A member that comes later and may not see such a file is told
            nothing of the folder. An edit of the file is for the same people.
          * 'undo' takes back replacements and deletions, not additions and renames.

        The agent keeps the folders alike where it runs, and then 'sync run' does not. For a folder that 'add' or \
        'join' brings while it runs it starts again by itself, within seconds, since it can write only to those that \
        it knew at its start; the two commands return when it has the folder, and 'wait' and 'events --follow' go on \
        with the next one. Transfers under way go on as well. 'portolan events' has folder.joined, .changed, .held, \
        .skipped, .lacking, .halted and .unwatched.
        """
}
