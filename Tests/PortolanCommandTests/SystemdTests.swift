import Foundation
import Glibc
import Testing

@testable import PortolanCommand

/// The service under a systemd of a user's own, by the built program. It runs in namespaces, and nothing of it is left behind.
@Suite struct SystemdTests {
    /// Why it is left out here; nil if it is not.
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

    @Test("systemd runs the installed unit with all that confines it, and takes it away again")
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
        #expect(results == ["installed", "unchanged", "stopped", "started", "updated", "removed"], "\(ended)")
        let states = ended.events.filter { $0["confined"] != nil }
        #expect(states.count == 2 && states.allSatisfy { $0["confined"] as? Bool == true }, "\(ended)")
        #expect(ended.output.contains("ActiveState=active\n"), "\(ended)")
        #expect(ended.output.contains("CapBnd:\t0000000000000000\n"), "\(ended)")
        let exposure = ended.output.firstMatch(of: /exposure level[^:]*: ([0-9.]+)/).flatMap { Double($0.1) }
        #expect(exposure.map { $0 < 3 } == true, "\(ended)")
    }

    /// Makes what a machine with systemd has for a user, and leaves the rest to `session.sh` as that user. Ends with 77 if it cannot.
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
        "$program" agent stop --json
        "$program" agent start --json
        "$program" agent install --discovery off --interface lo --no-confine --json
        "$program" agent status --json
        "$program" agent uninstall --json
        [ -e "$HOME/.config/systemd/user/portolan-agent.service" ] && exit 1
        kill $manager
        wait $manager
        exit 0

        """
}
