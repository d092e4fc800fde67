# Runs the snippets of one document in order, all in this one bash.
# usage: snippets.sh <repository> <folder> <snippet>...
# A snippet is a file in the folder. What it writes goes to <snippet>.out; its name is added to the folder's list `passed` when it
# has ended well. The first that fails ends the shell.
set -Eeuo pipefail

snippets_repository=$1
snippets_folder=$2
shift 2
snippets=("$@")
set -- # a snippet has no arguments

# The line of the running snippet at which it failed, also when it failed in a function.
snippets_tell() {
  local code=$1 at line=0
  for ((at = 0; at + 1 < ${#BASH_SOURCE[@]}; at++)); do
    if [[ ${BASH_SOURCE[at + 1]} == "$snippets_folder/$snippet" ]]; then line=${BASH_LINENO[at]}; fi
  done
  printf '\nline %s: exit code %s of: %s\n' "$line" "$code" "$(sed -n "${line}p" "$snippets_folder/$snippet")" >&2
}
trap 'snippets_tell "$?"' ERR

# Whether a target exists is checked; nothing is made.
make() { command make -n -C "$snippets_repository" "$@"; }

snippets_refuse() {
  echo "the documentation test does not run '$*': write the snippet without it, or teach tests/docs/snippets.sh what to do" >&2
  exit 1
}
for name in pnpm yarn docker podman sudo apt apt-get wget; do
  eval "$name() { snippets_refuse $name \"\$@\"; }"
done
unset name

# Installing packages of this repository checks that they exist; programs find the built ones.
npm() {
  local word
  if [[ ${1-} != install || $# -lt 2 ]]; then snippets_refuse npm "$@"; fi
  for word in "${@:2}"; do
    if [[ $word != [a-z]* || ! -f $snippets_repository/sdk/$word/package.json ]]; then snippets_refuse npm "$@"; fi
  done
}

# The program of the package is the one under test.
npx() {
  if [[ ${1-} != sandbox-agent ]]; then snippets_refuse npx "$@"; fi
  "$@"
}

# A program of the document, in the folder and with the variables that the snippets before it left.
snippets_program() {
  SNIPPETS_PROGRAM="$snippets_folder/$1" command node --enable-source-maps "$snippets_folder/$1"
}

# An answer that says "error" is a failure here, also without --fail. Nothing but this machine is asked.
curl() {
  local word fail=(--fail-with-body)
  for word; do
    case $word in
      http://127.0.0.1:* | http://localhost:*) ;;
      http://* | https://*) snippets_refuse curl "$word" ;;
      --fail | --fail-with-body) fail=() ;;
    esac
    if [[ $word =~ ^-[sSLNkg]*f[sSLNkg]*$ ]]; then fail=(); fi
  done
  command curl "${fail[@]}" "$@"
}

# A command that stays in the foreground until Ctrl-C. It was started last, as a job with a process group of its own, and writes
# to the file `foreground`.
snippets_interrupt() {
  local job=$! output=$snippets_folder/foreground code=0 step
  set +m
  for ((step = 0; step < 100; step++)); do # 5 s
    if [[ -s $output ]] || ! kill -0 "$job" 2>/dev/null; then break; fi
    sleep 0.05
  done
  if ! kill -INT -- "-$job" 2>/dev/null; then
    cat "$output"
    echo "it ended before Ctrl-C" >&2
    return 1
  fi
  for ((step = 0; step < 200; step++)); do
    if ! kill -0 "$job" 2>/dev/null; then break; fi
    sleep 0.05
  done
  if ((step == 200)); then
    kill -KILL -- "-$job"
    echo "it did not end within 10 s after Ctrl-C" >&2
  fi
  wait "$job" || code=$?
  cat "$output"
  if ((code == 0 || code == 130)); then return 0; fi
  echo "after Ctrl-C it ended with $code, not with 0 or 130" >&2
  return 1
}

for snippet in "${snippets[@]}"; do
  exec >"$snippets_folder/$snippet.out" 2>&1
  # shellcheck source=/dev/null
  source "$snippets_folder/$snippet"
  echo "$snippet" >>"$snippets_folder/passed"
done
