# What Samples/demo and Tests/run share: installing what is missing, and building quietly. To be sourced.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
packages=(
    libvips-dev libsqlite3-dev libdlib-dev libmicrohttpd-dev libcurl4-openssl-dev libjpeg-dev pkg-config fonts-dejavu-core
)

say() { printf '%s\n' "$*"; }

# Installs the packages named that are not there yet; exits with 3 where that is not possible.
require_packages() {
    local missing=() package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            as_root=(sudo)
        else
            say "These Debian packages are missing, and only root can install them: ${missing[*]}" >&2
            exit 3
        fi
    fi
    quietly "Installing ${missing[*]}" install_packages "${as_root[*]}" "${missing[@]}"
}

install_packages() {
    local as_root=$1
    shift
    # Another may be at it, as a machine's own updates are; and sudo passes no variables on.
    local get=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    $as_root "${get[@]}" update && $as_root "${get[@]}" install -y --no-install-recommends "$@"
}

# in_background COMMAND...: in a process group of its own, which `end_background` ends with all that it has started, if it
# still runs: later its number may be another's.
in_background() {
    set -m
    "$@" </dev/null &
    set +m
}

end_background() {
    local job
    for job in $(jobs -rp); do kill -- "-$job" 2>/dev/null || true; done
}

require_swift() {
    command -v swift >/dev/null && return
    say "Swift 6.2 or newer is needed: https://www.swift.org/install/linux" >&2
    exit 3
}

# Runs a command with its output kept for the case that it fails, and shows that it goes on.
quietly() {
    local what=$1 log status started=$SECONDS
    shift
    log=$(mktemp)
    "$@" >"$log" 2>&1 &
    local job=$!
    trap 'kill $job 2>/dev/null; rm -f "$log"; exit 130' INT TERM
    while kill -0 $job 2>/dev/null; do
        [ -t 2 ] && printf '\r\033[K%s … %d s' "$what" $((SECONDS - started)) >&2
        sleep 0.2
    done
    wait $job && status=0 || status=$?
    trap - INT TERM
    [ -t 2 ] && printf '\r\033[K' >&2
    if [ $status -ne 0 ]; then
        cat "$log" >&2
        say "$what failed." >&2
        rm -f "$log"
        exit 1
    fi
    rm -f "$log"
    # What took no time did nothing that is worth a line.
    if [ $((SECONDS - started)) -ge 3 ]; then say "$what: done in $((SECONDS - started)) s"; fi
}
