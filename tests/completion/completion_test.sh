#!/bin/bash
# The completion scripts load in bash, zsh and fish without a word, and complete commands, options, agents, instances and paths.
# Usage: completion_test.sh path/to/sandbox-agent
set -euo pipefail

fail() { echo "FAILED: $*" >&2; exit 1; }

expect() {  # what it is about, what it must be, what it is
  [[ $3 == "$2" ]] || fail "$1: expected '$2', got '$3'"
  echo "ok: $1"
}

work=$(mktemp -d)
daemon=
trap '[[ -z $daemon ]] || { kill "$daemon" 2>/dev/null || true; wait "$daemon" 2>/dev/null || true; }; rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/some-folder"
touch "$work/some-file"
ln -s "$(realpath "$1")" "$work/bin/sandbox-agent"
unset SANDBOX_AGENT_URL SANDBOX_AGENT_TOKEN
export HOME=$work XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config XDG_CACHE_HOME=$work/cache PATH=$work/bin:$PATH
cd "$work"

# What the daemon is asked for counts only if it comes at once: a busy machine is asked again.
expect_of_daemon() {  # what it is about, what it must be, how it is asked
  local about=$1 wanted=$2 got
  shift 2
  for _ in 1 2 3 4 5; do
    got=$("$@") || true
    [[ $got == "$wanted" ]] && break
    sleep 0.5
  done
  expect "$about" "$wanted" "$got"
}

start_daemon() {
  sandbox-agent server --port 0 --json >"$work/ready" 2>"$work/stderr" &
  daemon=$!
  for _ in $(seq 1000); do
    grep -qs '"ready"' "$work/ready" && break
    kill -0 "$daemon" 2>/dev/null || { cat "$work/stderr" >&2; fail "the daemon does not start"; }
    sleep 0.02
  done
  sandbox-agent api acp post my-box --agent mock '{"jsonrpc":"2.0","method":"nothing"}'
}

in_bash() {  # words -> what is offered, in one line
  bash --norc -uc 'source <(sandbox-agent completion bash)
    complete -p sandbox-agent >/dev/null
    COMP_WORDS=(sandbox-agent "$@"); COMP_CWORD=$#
    _sandbox_agent
    printf "%s\n" "${COMPREPLY[@]-}"' bash "$@" 2>&1 | sort | paste -sd" "
}

# The functions that zsh would show things with only print here: they work on a terminal alone.
in_zsh() {
  zsh -f -c 'autoload -U compinit; compinit -u -d "$HOME/.zcompdump"
    source <(sandbox-agent completion zsh)
    [[ $_comps[sandbox-agent] == _sandbox_agent ]] || print "not registered"
    _describe() { local -a all=("${(@P)4}"); print -r -- "${(@)all%%:*}" }
    _files() { [[ ${1-} == -/ ]] && print -r -- $PREFIX*(/N) || print -r -- $PREFIX*(N) }
    words=(sandbox-agent "$@"); CURRENT=$#words; PREFIX=$words[-1]
    _sandbox_agent' zsh "$@" 2>&1 || true
}

in_fish() {
  fish --no-config -c 'sandbox-agent completion fish | source; complete -C "sandbox-agent $argv"' "$@" 2>&1 |
    cut -f1 | sed 's#/$##' | sort | paste -sd' '
}

start_daemon
for shell in bash zsh fish; do
  expect "$shell completes a command" agents "$("in_$shell" ag)"
  expect "$shell completes the second word of a command" stderr "$("in_$shell" api acp std)"
  expect "$shell completes an option" --color "$("in_$shell" version --col)"
  expect "$shell completes an option's value" never "$("in_$shell" version --color n)"
  expect "$shell completes an agent" mock "$("in_$shell" api agents get mo)"
  expect_of_daemon "$shell completes an instance" my-box "in_$shell" api acp close my
  expect "$shell completes files" "some-file some-folder" "$("in_$shell" api fs write --file some)"
  expect "$shell completes folders" some-folder "$("in_$shell" api config mcp get --directory some)"
  expect "$shell offers nothing where nothing is known" "" "$("in_$shell" version nothing)"
done
expect "bash completes a value behind '='" never "$(in_bash version --color = n)"
expect "PowerShell gets a script" 1 "$(sandbox-agent completion powershell | grep -c Register-ArgumentCompleter)"

kill "$daemon"
wait "$daemon" || true
daemon=
expect "without a daemon no instance is offered, and nothing is said" "" "$(in_bash api acp close my)"
if sandbox-agent completion tcsh 2>/dev/null; then fail "a script for a shell without one"; fi
