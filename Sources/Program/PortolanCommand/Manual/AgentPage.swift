/// Manual: the agent's receiving, delivering and running.
enum AgentPage {
    static let text = """
        Sending, receiving, sharing and 'sync' work without an agent. Where the policy asks, an item waits in the \
        inbox, and its sender is told so and may go. An accepted item is fetched when its sender offers it again: an \
        agent does that by itself, at once if the two see each other, and 'portolan send' by 'portolan resume'. Queued \
        files are referred to by their paths, unless --copy has the agent keep them as they are now. An item queued \
        for a team goes to each member when it is there. An agent that receives stores each item of a parcel once, \
        however often it is sent. It signs for each of them: 'outbox show' prints the receipt and checks it, and any \
        other device can with 'portolan receipt check FILE'. 'share/doc/portolan/SECURITY.md', 12.15, describes the \
        proof of a receipt.

        With 'most' a rule of the policy takes only so many bytes in 24 hours from each contact or member, and from \
        all strangers together. Items count from their acceptance on, also those that break off after they began, and \
        over a restart; items that you accept yourself do not count. A sender of more is told so, and offers it again \
        later. Without 'most' there is no such limit; strangers are declined where no rule takes something from them. \
        A folder of 'into' that is named after a sender or its item belongs to that sender alone.

        'agent install' writes a unit of your user's systemd (root's is one of the machine) that runs this program \
        with the options of 'agent run' that 'install' is given; run it again when those change. Such a service \
        ends with your last session, unless 'loginctl enable-linger' says otherwise. 'install --print' shows the \
        unit, 'systemctl --user edit portolan-agent' adds to it. Where no systemd answers, anything that starts \
        programs can run 'portolan agent run'; it tells one that sets NOTIFY_SOCKET and WATCHDOG_USEC that it is \
        ready and alive.

        The agent reads and writes with your rights, since queued, received and synchronized files may lie anywhere. A \
        peer names no folder: items go to the inbox and to the folders that the policy names, and folders are kept \
        alike where you said so. As a service it gets no new privileges, and cannot write to /usr, /boot and /etc; for \
        a folder in there, 'systemctl edit portolan-agent' can add ReadWritePaths=. To let it write to fewer folders, \
        add ProtectSystem=strict, ProtectHome=read-only and ReadWritePaths= for each that it needs, with those that \
        'portolan config show' names. Converters are confined in any case.

        Programs talk to it over its socket: curl --unix-socket "$XDG_RUNTIME_DIR/portolan/api.sock" \
        http://portolan/v1/status
        """
}
