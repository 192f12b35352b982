/// Shell functions in place of commands that would change the machine or need another machine. Each function checks the
/// arguments of its call against existing files and units, and does nothing else.
enum HostCommands {
    static let functions = #"""
        fail() { echo "$*" >&2; exit 1; }
        sudo() { "$@"; }

        # Targets that exist, with every option that they hand on.
        make() {
            command make --no-print-directory -n -C "$REPO" "$@" >/dev/null || fail "there is no make $*"
            local words=${2:-} word command=Run
            case $1 in compare) command=Compare ;; bench-replication) command=Replication ;; esac
            for word in ${words#ARGUMENTS=}; do
                case $words:$word in ARGUMENTS=*:--*) has_option "$command" "$word" || fail "no $word" ;; esac
            done
        }

        # The bench is not built here. Its option `--warm-up` is the property `warmUp` of a command.
        has_option() {
            local name
            name=$(sed -E 's/^--//; s/-(.)/\U\1/g' <<<"$2")
            grep -qE "^    var $name\b" "$REPO/Benchmarks/Sources/ghoststore-bench/Commands/$1Command.swift"
        }

        apt() {
            local word
            case $1 in install | remove) shift ;; *) fail "apt $1" ;; esac
            for word; do
                word=${word##*/}
                grep -qx "Package: ${word%%_*}" "$REPO/debian/control" || fail "there is no package $word"
            done
        }

        is_unit() { [ -e "$REPO/systemd/$1" ]; }

        systemctl() {
            local word verb=
            for word; do
                case $verb:$word in
                    *:--user | *:--now) ;;
                    :enable | :disable | :start | :stop | :restart | :reload) verb=$word ;;
                    :reset-failed | :daemon-reload | :edit | :status) verb=$word ;;
                    :*) fail "systemctl $word" ;;
                    *) is_unit "$word" || is_unit "$word.service" || fail "there is no unit $word" ;;
                esac
            done
        }

        systemd-sysusers() { [ $# -eq 0 ] && [ -e "$REPO/systemd/sysusers.d/ghoststore.conf" ]; }
        systemd-tmpfiles() { [ "$*" = --create ] && [ -n "$(ls "$REPO/systemd/tmpfiles.d")" ]; }
        is_group() { grep -q "^[ug] *$1 " "$REPO"/systemd/sysusers.d/*.conf || fail "there is no group $1"; }
        usermod() { [ "$1 $2" = "--append --groups" ] && is_group "$3"; }
        gpasswd() { [ "$1" = -a ] && is_group "$3"; }

        journalctl() {
            local word
            for word; do
                case $word in
                    -u | ghoststored | --output=json-pretty | --since=today | -k | -p | warning | -n | 20 | 50) ;;
                    MESSAGE_ID=*) grep -rq "${word#*=}" "$REPO/Sources/StoreServer/Audit" || fail "no $word" ;;
                    *=*) grep -rq "\"${word%%=*}\"" "$REPO/Sources/StoreServer/Audit" || fail "no field $word" ;;
                    *) fail "journalctl $word" ;;
                esac
            done
        }

        systemd-creds() {
            [ $# -eq 4 ] && [ "$1" = encrypt ] || fail "systemd-creds $*"
            grep -q "LoadCredential=${2#--name=}" "$REPO/systemd/ghoststored.service" || fail "no credential $2"
            cp "$3" "$4"
        }

        install() {
            local word words=()
            for word; do
                case $word in --owner=ghoststore | --group=ghoststore) ;; *) words+=("$word") ;; esac
            done
            command install "${words[@]}"
        }

        pip() { [ "$1" = install ] && [ -e "$REPO/$2/pyproject.toml" ]; }
        id() { [ "$*" = "-u bob" ] && echo 1000; }
        ssh() { mkdir -p elsewhere && (cd elsewhere && sh -c "$2"); }
        age() { [ "$1" = --recipient ] && cat; }
        pass() { cat "$PASSPHRASE"; }
        my-program() { printf 'one\ntwo\n'; }
        notify-send() { [ $# -eq 3 ] && [ "$1" = -- ] && [ -n "$3" ] || fail "notify-send $*"; }
        """#
}
