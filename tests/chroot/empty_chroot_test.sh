#!/bin/bash
# The static binary answers inside an otherwise empty chroot with /proc, and the demo agent answers a prompt there.
# Usage: empty_chroot_test.sh path/to/sandbox-agent. Mounts happen in a mount namespace of its own and vanish with it.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

fail() { echo "FAILED: $*" >&2; exit 1; }

request() {  # method path [body] -> the whole answer
  local body="${3:-}"
  exec 3<>"/dev/tcp/127.0.0.1/$port" || fail "cannot connect to the daemon"
  printf '%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer chroot-token\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' \
    "$1" "$2" "${#body}" "$body" >&3
  timeout 10 cat <&3
  exec 3>&-
}

expect() {  # what it is about, the text that must be in it, the answer
  case "$3" in
    *"$2"*) echo "ok: $1" ;;
    *) echo "$3" >&2; fail "$1: no '$2' in the answer above" ;;
  esac
}

inside() {
  root="$work/root"
  mkdir -p "$root/proc"
  cp "$binary" "$root/sandbox-agent"
  mount -t proc proc "$root/proc" || fail "cannot mount /proc in the chroot"
  env -i HOME=/ "$(command -v chroot)" "$root" /sandbox-agent server --host 127.0.0.1 --port 0 --token chroot-token --json \
    >"$work/ready" 2>"$work/stderr" &
  daemon=$!
  trap 'kill -KILL "$daemon" 2>/dev/null || true; wait 2>/dev/null || true; umount "$root/proc" 2>/dev/null || true' EXIT

  for _ in $(seq 1500); do
    grep -qs '"ready"' "$work/ready" && break
    kill -0 "$daemon" 2>/dev/null || { cat "$work/stderr" >&2; fail "the daemon does not start in the chroot"; }
    sleep 0.02
  done
  port=$(sed -n 's#.*http://127\.0\.0\.1:\([0-9]*\).*#\1#p' "$work/ready")
  [ -n "$port" ] || fail "no address in the ready line: $(cat "$work/ready")"

  expect "health" '"status":"ok"' "$(request GET /v1/health)"
  local acp='/v1/acp/demo?agent=mock'
  expect "initialize" '"protocolVersion"' "$(request POST "$acp" '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}')"
  local opened session
  opened=$(request POST "$acp" '{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}')
  session=$(sed -n 's/.*"sessionId":"\([^"]*\)".*/\1/p' <<<"$opened")
  [ -n "$session" ] || fail "no session: $opened"
  expect "the prompt" '"stopReason":"end_turn"' \
    "$(request POST "$acp" '{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"'"$session"'","prompt":[{"type":"text","text":"hello"}]}}')"
  expect "DELETE" '204' "$(request DELETE /v1/acp/demo)"

  kill -TERM "$daemon"
  wait "$daemon" || { cat "$work/stderr" >&2; fail "the daemon ended with code $?"; }
  echo "ok: exit 0"
}

if [ "${1:-}" = --inside ]; then
  binary=$2 work=$3
  inside
  exit 0
fi

binary=$(realpath "${1:?which binary?}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
  unshare -m -- bash "$0" --inside "$binary" "$work"
elif unshare -Urmpf true 2>/dev/null; then
  unshare -Urmpf -- bash "$0" --inside "$binary" "$work"
else
  fail "this test needs root, or user namespaces for ordinary users, to make a chroot; neither is possible here"
fi
