import Foundation
import Glibc
import Testing

@testable import PortolanCommand

/// The service under a user's and a machine's systemd, by the built program. It runs in namespaces, and leaves nothing
/// behind.
@Suite(.serialized) struct SystemdTests {
    /// Reason why the tests are skipped; nil if they run.
    private static var obstacle: String? {
        if geteuid() != 0 { return "only root can make the namespaces" }
        for program in [
            "/usr/lib/systemd/systemd", "/usr/bin/systemctl", "/usr/bin/systemd-analyze", "/usr/bin/unshare",
        ]
        where access(program, X_OK) != 0 {
            return "there is no \(program)"
        }
        return nil
    }

    @Test("systemd runs the installed unit with all its hardening, and takes it away again")
    func runsTheUnit() async throws {
        if let obstacle = Self.obstacle {
            print("LEFT OUT: \(obstacle).")
            return
        }
        let tool = try Tool()
        chmod(tool.folder.path, 0o777)
        try tool.write(Self.machine, to: "machine.sh")
        try tool.write(Self.session, to: "session.sh")
        let ended = try await tool.run(
            [tool.folder.path, "1234"],
            launcher: [
                "/usr/bin/unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--mount-proc", "/bin/sh",
                tool.path("machine.sh"),
            ])
        if ended.code == 77 {
            print("LEFT OUT: no systemd could be started. \(ended)")
            return
        }
        #expect(ended.code == 0, "\(ended)")
        let results = ended.events.compactMap { $0["result"] as? String }
        #expect(
            results == ["installed", "unchanged", "unchanged", "stopped", "started", "removed"], "\(ended)")
        // A new folder, and one that was missing at the start, are kept alike by the same process.
        for line in ["alike 1", "alike 2", "same process", "restarts 0", "Result=success"] {
            #expect(ended.output.split(separator: "\n").contains { $0 == line }, "\(line): \(ended)")
        }
        #expect(ended.output.contains("ActiveState=active\n"), "\(ended)")
        #expect(ended.output.contains("CapBnd:\t0000000000000000\n"), "\(ended)")
        let exposure = ended.output.firstMatch(of: /exposure level[^:]*: ([0-9.]+)/).flatMap { Double($0.1) }
        #expect(exposure.map { $0 < 3 } == true, "\(ended)")
    }

    @Test("systemd finds nothing to say about the units", arguments: [ServiceUnit.Scope.user, .machine])
    func verifies(scope: ServiceUnit.Scope) async throws {
        let analyze = "/usr/bin/systemd-analyze"
        guard access(analyze, X_OK) == 0 else { return print("LEFT OUT: there is no \(analyze).") }
        let tool = try Tool()
        func findings(_ text: String) async throws -> String {
            try tool.write(text, to: ServiceUnit.name)
            let ended = try await tool.run(
                [tool.path(ServiceUnit.name)], environment: ["XDG_RUNTIME_DIR": tool.folder.path],
                launcher: [
                    "/bin/sh", "-c", "exec \"$0\" \"$1\" verify \"$3\"", analyze,
                    scope == .user ? "--user" : "--system",
                ])
            return ended.output + ended.errors
        }
        let unit = ServiceUnit(
            scope: scope, program: "/bin/true", arguments: ["agent", "run", "--name", "Ada's 100% desk"],
            environment: ["HOME=\(tool.path("my home"))"], hasRuntimeFolder: true)
        let text = try unit.text()
        #expect(try await findings(text) == "")
        #expect(try await findings(text + "NoSuchSetting=1\n").contains("NoSuchSetting"))
    }

    @Test("a machine's systemd runs the unit that root installs, which stores an item, and takes it away again")
    func runsTheUnitOfTheMachine() async throws {
        if let obstacle = Self.obstacle {
            print("LEFT OUT: \(obstacle).")
            return
        }
        let tool = try Tool()
        try tool.write(Self.ownMachine, to: "machine.sh")
        try tool.write(Self.boot, to: "boot.sh")
        try tool.write(Self.ownSession, to: "session.sh")
        try tool.write(
            "version: 1\nrules:\n  - from: anyone\n    action: accept\n", to: "root/.config/portolan/policy.yaml")
        let ended = try await tool.run(
            [tool.folder.path],
            launcher: [
                "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", tool.path("machine.sh"),
            ])
        if ended.code == 77 {
            print("LEFT OUT: no systemd could be started as that of a machine. \(ended)")
            return
        }
        #expect(ended.code == 0, "\(ended)")
        let results = ended.events.compactMap { $0["result"] as? String }
        #expect(results == ["installed", "unchanged", "stopped", "started", "removed"], "\(ended)")
        for line in [
            "ActiveState=active", "UnitFileState=enabled", "socket 700 600", "stored hello", "alike",
            // chown, dac_override, dac_read_search, fowner, fsetid, setpcap.
            "CapBnd:\t000000000000011f",
        ] {
            #expect(ended.output.split(separator: "\n").contains { $0 == line }, "\(line): \(ended)")
        }
        let exposure = ended.output.firstMatch(of: /exposure level[^:]*: ([0-9.]+)/).flatMap { Double($0.1) }
        #expect(exposure.map { $0 < 3 } == true, "\(ended)")
    }

    /// Runs `boot.sh` as the first process of a separate machine with one group of processes. Ends with 77 if it
    /// cannot.
    private static let ownMachine = """
        set -u
        program=$1 folder=$2
        group=/sys/fs/cgroup/portolan-test-$(basename $folder)
        prepare() {
            umount -R /sys/fs/cgroup 2>/dev/null
            mount -t cgroup2 cgroup2 /sys/fs/cgroup && mkdir -p $group
        }
        prepare || exit 77
        sh -c "echo \\$\\$ > $group/cgroup.procs && exec unshare --cgroup --mount --propagation private --pid --fork \
            --kill-child --mount-proc --uts --net --ipc sh $folder/boot.sh $program $folder"
        status=$?
        find $group -depth -type d -exec rmdir {} + 2>/dev/null
        exit $status

        """

    /// Hides this machine's systemd, and becomes a systemd that knows only targets; `session.sh` runs beside it.
    private static let boot = """
        set -u
        program=$1 folder=$2
        prepare() {
            umount -R /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup || return
            # A manager changes limits of the kernel.
            mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys || return
            for place in /run /etc/systemd /usr/lib/systemd/system /usr/lib/systemd/system-generators; do
                mount -t tmpfs tmpfs $place || return
            done
            mkdir -p $folder/dev && mount -t tmpfs tmpfs $folder/dev || return
            for node in null zero full random urandom tty; do
                touch $folder/dev/$node && mount --bind /dev/$node $folder/dev/$node || return
            done
            mkdir $folder/dev/shm $folder/dev/pts && ln -s pts/ptmx $folder/dev/ptmx && touch $folder/dev/kmsg || return
            mount --rbind $folder/dev /dev || return
            mkdir -p /etc/systemd/system || return
            for unit in sysinit basic multi-user network shutdown; do
                printf '[Unit]\\nDefaultDependencies=no\\n' > /usr/lib/systemd/system/$unit.target || return
            done
            echo 0123456789abcdef0123456789abcdef > /run/machine-id || return
            mount --bind /run/machine-id /etc/machine-id && ip link set lo up
        }
        prepare || exit 77
        sh $folder/session.sh $program $folder &
        exec env -i container=portolan-test PATH=/usr/bin:/bin SYSTEMD_LOG_TARGET=kmsg \
            /usr/lib/systemd/systemd --system --unit=multi-user.target

        """

    private static let ownSession = """
        set -u
        program=$1 folder=$2
        unset PORTOLAN_HOME
        export HOME=$folder/root PATH=/usr/bin:/bin
        cd /
        for attempt in $(seq 300); do
            systemctl show --property=Version >/dev/null 2>&1 && break
            sleep 0.1
        done
        systemctl show --property=Version >/dev/null 2>&1 || { cat /dev/kmsg; systemctl --force exit 77; exit; }
        "$program" agent install --discovery off --interface lo --port 47300 --json
        "$program" agent status --json
        "$program" agent install --discovery off --interface lo --port 47300 --json
        "$program" team create acme >/dev/null
        mkdir "$HOME/Notes"
        "$program" sync add "$HOME/Notes" --with @acme
        "$program" wait sync-idle Notes --timeout 100s && echo "alike"
        unit=portolan-agent.service
        systemctl show --property=ActiveState --property=UnitFileState $unit
        grep CapBnd "/proc/$(systemctl show --property=MainPID --value $unit)/status"
        echo "socket $(stat --format=%a /run/portolan) $(stat --format=%a /run/portolan/api.sock)"
        "$program" send --home $folder/sender --text hello --to 127.0.0.1:47300 --no-converters
        echo "stored $(cat $HOME/Portolan/hello.txt)"
        systemd-analyze security --no-pager --offline=true /etc/systemd/system/$unit | tail -1
        "$program" agent stop --json
        "$program" agent start --json
        "$program" agent status --json
        "$program" agent uninstall --json
        [ -e /etc/systemd/system/$unit ] && systemctl --force exit 1
        systemctl --force exit 0

        """

    /// Creates the files of a machine with systemd for a user, and leaves the rest to `session.sh` as that user. Ends
    /// with 77 if it cannot.
    private static let machine = """
        set -u
        program=$1 folder=$2 user=$3
        group=/sys/fs/cgroup/portolan-test-$user.user
        prepare() {
            mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system /run/systemd/unit-root /run/user/$user || return
            umount -R /sys/fs/cgroup 2>/dev/null
            mount -t cgroup2 cgroup2 /sys/fs/cgroup && mkdir -p $group || return
            for file in passwd group; do cp /etc/$file $folder/$file || return; done
            echo "portolan-test:x:$user:$user::$folder/user:/bin/sh" >> $folder/passwd
            echo "portolan-test:x:$user:" >> $folder/group
            for file in passwd group; do mount --bind $folder/$file /etc/$file || return; done
            mkdir -p $folder/user && chown $user:$user $folder/user /run/user/$user && chmod 700 /run/user/$user
        }
        prepare || exit 77
        sh -c "echo \\$\\$ > $group/cgroup.procs && chown -R $user:$user $group &&
            exec setpriv --reuid $user --regid $user --clear-groups sh $folder/session.sh $program $folder $user"
        status=$?
        find $group -depth -type d -exec rmdir {} + 2>/dev/null
        exit $status

        """

    private static let session = """
        set -u
        program=$1 user=$3
        unset PORTOLAN_HOME
        export HOME=$2/user XDG_RUNTIME_DIR=/run/user/$user PATH=/usr/bin:/bin
        cd /
        /usr/lib/systemd/systemd --user >$HOME/manager.log 2>&1 &
        manager=$!
        for attempt in $(seq 300); do
            systemctl --user show --property=Version >/dev/null 2>&1 && break
            kill -0 $manager 2>/dev/null || { cat $HOME/manager.log; exit 77; }
            sleep 0.1
        done
        "$program" agent install --discovery off --interface lo --json
        "$program" agent status --json
        "$program" agent install --discovery off --interface lo --json
        systemctl --user show --property=ActiveState portolan-agent.service
        grep CapBnd "/proc/$(systemctl --user show --property=MainPID --value portolan-agent.service)/status"
        systemd-analyze security --user --no-pager --offline=true "$HOME/.config/systemd/user/portolan-agent.service" | tail -1
        "$program" team create acme >/dev/null
        mkdir "$HOME/Notes"
        before=$(systemctl --user show --property=MainPID portolan-agent.service)
        "$program" sync add "$HOME/Notes" --with @acme
        "$program" wait sync-idle Notes --timeout 100s && echo "alike 1"
        [ "$before" = "$(systemctl --user show --property=MainPID portolan-agent.service)" ] && echo "same process"
        "$program" agent install --discovery off --interface lo --json
        "$program" agent stop --json
        mv "$HOME/Notes" "$HOME/Away"
        "$program" agent start --json
        mv "$HOME/Away" "$HOME/Notes"
        "$program" wait sync-idle Notes --timeout 100s && echo "alike 2"
        echo "restarts $(systemctl --user show --property=NRestarts --value portolan-agent.service)"
        systemctl --user show --property=Result portolan-agent.service
        "$program" agent uninstall --json
        [ -e "$HOME/.config/systemd/user/portolan-agent.service" ] && exit 1
        kill $manager
        wait $manager
        exit 0

        """
}
