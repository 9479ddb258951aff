/// Manual page about visibility, and about the propagation of roster changes.
enum TeamPage {
    static let text = """
        A form or file that is marked 'team' reaches members of the team, and no other device can learn that it \
        exists; 'group' reaches those in the groups that --group names, else in your own. Removing a member changes \
        the team's secrets. Members that cannot be reached, and the removed one, are told by any member's machine that \
        receives and sees them. A team is good for 90 days; an admin's machine renews it by itself. With \
        --discoverable team, members find a receiver; strangers do not learn who it is.
        """
}
