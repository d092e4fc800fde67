#include "cli/completion_scripts.h"

namespace sa {
namespace {

constexpr std::string_view bash = R"sh(# sandbox-agent: completion for bash.
# To load it: source <(sandbox-agent completion bash)   — to keep it, put that line into ~/.bashrc

_sandbox_agent() {
  local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\~/$HOME} line quoted
  [[ $word == "=" ]] && word=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files)
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
        ;;
      :folders)
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$word")
        ;;
      *)
        printf -v quoted '%q' "$line"
        COMPREPLY+=("$quoted")
        ;;
    esac
  done < <("$program" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

complete -F _sandbox_agent sandbox-agent
)sh";

constexpr std::string_view zsh = R"sh(#compdef sandbox-agent
# sandbox-agent: completion for zsh.
# To load it: source <(sandbox-agent completion zsh)   — behind compinit, in ~/.zshrc; or as the file _sandbox-agent in $fpath

_sandbox_agent() {
  local line paths
  local -a candidates
  while IFS= read -r line; do
    case $line in
      :files|:folders) paths=$line ;;
      *$'\t'*) candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      *) candidates+=("${line//:/\\:}") ;;
    esac
  done < <("${(Q)words[1]/#\~/$HOME}" complete --describe -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
  [[ $paths == :files ]] && _files
  [[ $paths == :folders ]] && _files -/
  (( $#candidates )) && _describe -t candidates sandbox-agent candidates
}

if [[ ${funcstack[1]} == _sandbox_agent || ${funcstack[1]} == _sandbox-agent ]]; then
  _sandbox_agent "$@"
else
  compdef _sandbox_agent sandbox-agent
fi
)sh";

constexpr std::string_view fish = R"sh(# sandbox-agent: completion for fish.
# To load it: sandbox-agent completion fish | source   — to keep it, write it to ~/.config/fish/completions/sandbox-agent.fish

function __sandbox_agent_candidates
    set -l words (commandline -opc)
    set -l begun (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    for line in ($program complete --describe -- $words "$begun" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$begun"
            case ':folders'
                __fish_complete_directories "$begun"
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c sandbox-agent -f -a '(__sandbox_agent_candidates)'
)sh";

constexpr std::string_view powershell = R"sh(# sandbox-agent: completion for PowerShell.
# To load it: sandbox-agent completion powershell | Out-String | Invoke-Expression   — to keep it, put that line into $PROFILE

Register-ArgumentCompleter -Native -CommandName sandbox-agent -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -le $cursorPosition } | ForEach-Object { "$_" })
    $program = $words[0]
    $words = @($words | Select-Object -Skip 1)
    $options = @('--describe')
    if (-not $wordToComplete) { $options += '--new-word' }
    & $program complete @options -- @words 2>$null | ForEach-Object {
        if ($_ -eq ':files' -or $_ -eq ':folders') { return }
        $word, $help = $_ -split "`t", 2
        if (-not $help) { $help = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $help)
    }
}
)sh";

constexpr CompletionScript scripts[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}, {"powershell", powershell}};

}  // namespace

std::span<const CompletionScript> completion_scripts() { return scripts; }

}  // namespace sa
