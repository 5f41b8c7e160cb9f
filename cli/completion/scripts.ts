/** The scripts ask the program itself, so that no list of its commands can be out of date. */
export const SCRIPTS = {
  bash: `# bash completion of exposure: source <(exposure completion bash)
_exposure() {
  local kind= line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ -z "$kind" ]; then kind=$line; else COMPREPLY+=("$line"); fi
  done < <(EXPOSURE_RETRY_SECONDS=0 exposure complete bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  case $kind in
    files)
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
      compopt -o filenames 2>/dev/null ;;
    nospace) compopt -o nospace 2>/dev/null ;;
  esac
}
complete -F _exposure exposure
`,
  zsh: `#compdef exposure
# zsh completion of exposure: exposure completion zsh > "\${fpath[1]}/_exposure", or source <(exposure completion zsh)
_exposure() {
  local kind line
  local -a lines values shown
  lines=("\${(@f)$(EXPOSURE_RETRY_SECONDS=0 exposure complete zsh "\${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
  kind=$lines[1]
  for line in "\${(@)lines[2,-1]}"; do
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  }")
  done
  case $kind in
    files) _files ;;
    nospace) compadd -S '' -d shown -a values ;;
    *) compadd -d shown -a values ;;
  esac
}
if [ "$funcstack[1]" = _exposure ]; then _exposure "$@"; else compdef _exposure exposure; fi
`,
  fish: `# fish completion of exposure: exposure completion fish > ~/.config/fish/completions/exposure.fish
function __exposure_complete
    set -l lines (EXPOSURE_RETRY_SECONDS=0 exposure complete fish (commandline -cp | string collect) 2>/dev/null)
    if test "$lines[1]" = files
        __fish_complete_path (commandline -ct)
    else if set -q lines[2]
        printf '%s\\n' $lines[2..]
    end
end
complete -c exposure -f -a '(__exposure_complete)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;
export const SHELLS = Object.keys(SCRIPTS);
