#!/bin/sh
# Installs Portolan for one user, or wherever you may write. It starts nothing.
#
#   ./install.sh                     into ~/.local
#   ./install.sh --prefix FOLDER     into FOLDER/bin, FOLDER/share, …
#   ./install.sh --uninstall         removes what was installed there, and nothing else; --prefix as above
#
# Keys, contacts, the configuration and whatever was received stay.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
prefix='' uninstall=no

say() { printf '%s\n' "$*"; }
fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    case $1 in
    --prefix)
        [ $# -gt 1 ] || fail "--prefix needs a folder"
        prefix=$2
        shift
        ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    --uninstall) uninstall=yes ;;
    -h | --help)
        sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *) fail "'$1' is no option (try --help)" ;;
    esac
    shift
done
# The copy that is installed knows where it lies.
if [ -z "$prefix" ] && [ -f "$here/installed-files" ]; then prefix=$here/../..; fi
if [ -z "$prefix" ]; then
    [ -n "${HOME:-}" ] || fail "HOME is not set; say --prefix FOLDER"
    prefix=$HOME/.local
fi
case $prefix in \~/*) prefix=$HOME/${prefix#??} ;; esac

if [ $uninstall = no ]; then
    [ -d "$here/files" ] || fail "$here has no files to install; run the one beside them"
    mkdir -p "$prefix" || fail "cannot make $prefix"
fi
prefix=$(cd "$prefix" 2>/dev/null && pwd) || fail "$prefix does not exist"
case $prefix in *[!A-Za-z0-9_./@+-]*) fail "the unit of the agent cannot name this folder: $prefix" ;; esac

# Not in share/portolan, which in ~/.local is the folder of the keys. The files that were installed stand in it, one a line from the prefix on; folders that were made for them end with a slash.
keep=lib/portolan
list=$prefix/$keep/installed-files

# remove_listed LIST [KEPT]: removes what LIST names and KEPT does not, the deepest first.
remove_listed() {
    sort -r "$1" | while IFS= read -r name; do
        case $name in '' | /* | *../*) continue ;; esac
        if [ -n "${2:-}" ] && grep -qxF -- "$name" "$2"; then continue; fi
        case $name in
        */) rmdir -- "$prefix/$name" 2>/dev/null || true ;;
        *) rm -f -- "$prefix/$name" ;;
        esac
    done
}

# The unit that 'portolan agent install' has made for this user, if it runs this program.
warn_of_service() {
    unit=${XDG_CONFIG_HOME:-${HOME:-}/.config}/systemd/user/portolan-agent.service
    if grep -qsF "ExecStart=$prefix/bin/portolan " "$unit"; then
        say "The agent's service still names this program ($unit)." \
            "Remove it first:  $prefix/bin/portolan agent uninstall"
        return 1
    fi
    link=${XDG_CONFIG_HOME:-${HOME:-}/.config}/systemd/user/default.target.wants/portolan-agent.service
    if [ "$(readlink "$link" 2>/dev/null)" = "$prefix/share/systemd/user/portolan-agent.service" ]; then
        say "systemd starts the agent with each of your logins. Stop that first:" \
            " systemctl --user disable --now portolan-agent"
        return 1
    fi
}

if [ $uninstall = yes ]; then
    [ -f "$list" ] || fail "nothing is installed in $prefix: there is no $list"
    warn_of_service >&2 || exit 1
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    # The list is one of the files that go.
    cp "$list" "$work/list"
    remove_listed "$work/list"
    say "Portolan is removed from $prefix. Keys, configuration and what was received stay."
    exit 0
fi

# ---------------------------------------------------------------- installing

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/list"

# make_folder NAME: makes a folder below the prefix, and notes each one that was not there.
make_folder() {
    [ "$1" != . ] || return 0
    [ ! -d "$prefix/$1" ] || return 0
    make_folder "$(dirname "$1")"
    mkdir "$prefix/$1"
    say "$1/" >>"$work/list"
}

(cd "$here/files" && find . -type f | sed 's|^\./||' | LC_ALL=C sort) >"$work/files"
while IFS= read -r name; do
    [ -e "$prefix/$name" ] || [ -L "$prefix/$name" ] || continue
    grep -qsxF -- "$name" "$list" || fail "$prefix/$name is there already, and not from an earlier installation. Move it away."
done <"$work/files"
while IFS= read -r name; do
    make_folder "$(dirname "$name")"
    target=$prefix/$name
    case $name in
    # In one step: a program that runs keeps its old file.
    *.service) sed "s|@PREFIX@|$prefix|g" "$here/files/$name" >"$target.new" && chmod 644 "$target.new" ;;
    *) cp -p "$here/files/$name" "$target.new" ;;
    esac
    mv -f "$target.new" "$target"
    say "$name" >>"$work/list"
done <"$work/files"
make_folder $keep
cp "$here/install.sh" "$prefix/$keep/install.sh.new" && mv -f "$prefix/$keep/install.sh.new" "$prefix/$keep/install.sh"
say "$keep/install.sh" >>"$work/list"
say "$keep/installed-files" >>"$work/list"
if [ -f "$list" ]; then
    # What an earlier version had and this one has not. Folders that it made are still to be removed one day.
    grep '/$' "$list" >>"$work/list" || true
    LC_ALL=C sort -u "$work/list" -o "$work/list"
    cp "$list" "$work/before"
    remove_listed "$work/before" "$work/list"
fi
cp "$work/list" "$list"

say "Portolan is installed in $prefix."
if ! version=$("$prefix/bin/portolan" --version 2>"$work/errors"); then
    say "It does not start here:" "$(head -n 3 "$work/errors")"
    missing=$(ldd "$prefix/bin/portolan" 2>/dev/null | sed -n 's/^[[:space:]]*\(.*\) => not found.*/\1/p' | tr '\n' ' ')
    [ -z "$missing" ] || say "This machine lacks: $missing"
    say "On Debian or Ubuntu, root can bring the libraries:" \
        "  apt install libsodium23 libzstd1 libsqlite3-0 libavahi-common3 libavahi-client3 libavahi-core7 libstdc++6"
    exit 1
fi
say "portolan $version"
case ":${PATH:-}:" in
*":$prefix/bin:"*) ;;
*) say "Your PATH does not have it yet:  export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
say "zsh finds its completions with  fpath=($prefix/share/zsh/site-functions \$fpath)  before compinit; bash and fish need nothing."
say "Nothing runs. To have the agent run from now on:  portolan agent install"
say "To remove all of it:  $prefix/$keep/install.sh --uninstall"
