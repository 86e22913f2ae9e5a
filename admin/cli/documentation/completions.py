"""Completions of the table of commands for bash, zsh and fish.

Each script has the table as functions that answer for a command ("source add") and a small reader
of what has been typed. What is completed: commands, options, the values that an option chooses
from, files and directories, and after `help` commands and topics.
"""

import re


def quoted(text):
    """A word of a POSIX shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def kind_of(entry):
    """What is completed: "" nothing that is known, "FILE", "DIR", or "=" with words."""
    if entry["choices"]:
        return "=" + " ".join(entry["choices"])
    name = entry["names"][-1]
    for kind in ("FILE", "DIR"):
        if kind in (entry["value"], name):
            return kind
    return ""


def argument_kinds(table, command):
    if command["words"] == ["help"]:
        names = {entry["words"][0] for entry in table["commands"] if entry["words"]}
        names |= {topic["name"] for topic in table["topics"]}
        return ["=" + " ".join(sorted(names))]
    return [kind_of(argument) for argument in command["arguments"]]


def key_of(command):
    return " ".join(command["words"])


def commands_below(table, command):
    size = len(command["words"])
    return [other for other in table["commands"]
            if len(other["words"]) == size + 1 and other["words"][:size] == command["words"]]


def groups(table):
    return [command for command in table["commands"] if command["group"]]


def one_line(text):
    return re.sub(r"\s+", " ", text)


# ---- bash ----

BASH = r"""# bash completion for netml, made from its own table of commands by documentation.py
_netml_commands() {
  case "$1" in
%(commands)s  esac
}
_netml_options() {
  case "$1" in
%(options)s  esac
}
# What an option of a command takes: FILE, DIR, ANY, or = with words; nothing of a flag.
_netml_value() {
  case "$1 $2" in
%(values)s  esac
}
# What the argument with this number (from 0) is.
_netml_argument() {
  case "$1 $2" in
%(arguments)s  esac
}
_netml_offer() {
  local IFS=$'\n'
  case "$1" in
    FILE) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$2")) ;;
    DIR) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$2")) ;;
    =*) COMPREPLY=($(compgen -W "$(printf '%%s' "${1#=}" | tr ' ' '\n')" -- "$2")) ;;
  esac
}
_netml() {
  local current="${COMP_WORDS[COMP_CWORD]}" command= argument=0 pending= word i value
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    [ "$word" = = ] && continue
    if [ -n "$pending" ]; then pending=; continue; fi
    case "$word" in
      -?*)
        value=$(_netml_value "$command" "$word")
        [ -n "$value" ] || value=$(_netml_value '' "$word")
        pending=$value ;;
      *)
        if [[ " $(_netml_commands "$command") " == *" $word "* ]]; then
          command="${command:+$command }$word"
        else
          argument=$((argument + 1))
        fi ;;
    esac
  done
  [ "$current" = = ] && current=
  if [ -n "$pending" ]; then
    _netml_offer "$pending" "$current"
  elif [[ "$current" == -* ]]; then
    _netml_offer "=$(_netml_options "$command") $(_netml_options '')" "$current"
  elif [ -n "$(_netml_commands "$command")" ]; then
    _netml_offer "=$(_netml_commands "$command")" "$current"
  else
    _netml_offer "$(_netml_argument "$command" "$argument")" "$current"
  fi
}
complete -F _netml netml
"""


def cases(pairs):
    """Branches of a case for pairs of a pattern and what is printed, the empty ones left out."""
    return "".join(f"    {pattern}) echo {quoted(text)} ;;\n" for pattern, text in pairs if text)


def value_pairs(table):
    for command in table["commands"]:
        for option in command["options"]:
            if option["value"] is not None:
                pattern = "|".join(quoted(f"{key_of(command)} {name}") for name in option["names"])
                yield pattern, kind_of(option) or "ANY"


def argument_pairs(table):
    for command in table["commands"]:
        for number, kind in enumerate(argument_kinds(table, command)):
            repeated = command["arguments"][number]["repeated"]
            yield quoted(key_of(command) + " ") + ("*" if repeated else str(number)), kind


def option_names(command):
    return [name for option in command["options"] for name in option["names"]]


def shell_tables(table):
    return {
        "commands": cases((quoted(key_of(group)),
                           " ".join(other["words"][-1] for other in commands_below(table, group)))
                          for group in groups(table)),
        "options": cases((quoted(key_of(command)), " ".join(option_names(command)))
                         for command in table["commands"]),
        "values": cases(value_pairs(table)),
        "arguments": cases(argument_pairs(table)),
    }


# ---- zsh ----

ZSH = r"""#compdef netml
# zsh completion for netml, made from its own table of commands by documentation.py
_netml_described() {
  case "$1" in
%(described)s  esac
}
_netml_options() {
  case "$1" in
%(described_options)s  esac
}
# What an option of a command takes: FILE, DIR, ANY, or = with words; nothing of a flag.
_netml_value() {
  case "$1 $2" in
%(values)s  esac
}
# What the argument with this number (from 0) is.
_netml_argument() {
  case "$1 $2" in
%(arguments)s  esac
}
_netml_offer() {
  local -a choices
  case "$1" in
    FILE) _files ;;
    DIR) _files -/ ;;
    '='*) choices=(${=1#=}); compadd -a choices ;;
  esac
}
_netml() {
  local command= pending= word value
  local -i argument=0 i
  local -a known offered
  for ((i = 2; i < CURRENT; i++)); do
    word="${words[i]}"
    if [[ -n $pending ]]; then pending=; continue; fi
    case "$word" in
      --*=*) ;;
      -?*)
        value=$(_netml_value "$command" "$word")
        [[ -n $value ]] || value=$(_netml_value '' "$word")
        pending=$value ;;
      *)
        known=("${(@f)$(_netml_described "$command")}")
        if [[ -n ${known[(r)$word:*]} ]]; then
          command="${command:+$command }$word"
        else
          argument+=1
        fi ;;
    esac
  done
  known=("${(@f)$(_netml_described "$command")}")
  if [[ -n $pending ]]; then
    _netml_offer "$pending"
  elif [[ ${words[CURRENT]} == -* ]]; then
    offered=("${(@f)$(_netml_options "$command"; [[ -z $command ]] || _netml_options '')}")
    _describe -o option offered
  elif [[ -n ${known[1]} ]]; then
    _describe command known
  else
    _netml_offer "$(_netml_argument "$command" "$argument")"
  fi
}
_netml "$@"
"""


def described(names_and_texts):
    """Lines NAME:TEXT, as _describe takes them."""
    return "\n".join(f"{name}:" + one_line(text).replace(":", "\\:")
                     for name, text in names_and_texts)


def raw_cases(pairs):
    return "".join(f"    {pattern}) print -r -- {quoted(text)} ;;\n"
                   for pattern, text in pairs if text)


def zsh_tables(table):
    return shell_tables(table) | {
        "described": raw_cases((quoted(key_of(group)),
                                described((other["words"][-1], other["summary"])
                                          for other in commands_below(table, group)))
                               for group in groups(table)),
        "described_options": raw_cases((quoted(key_of(command)),
                                        described((name, option["help"])
                                                  for option in command["options"]
                                                  for name in option["names"]))
                                       for command in table["commands"]),
    }


# ---- fish ----

FISH = r"""# fish completion for netml, made from its own table of commands by documentation.py
function __netml_takes_value
  contains -- "$argv[1] $argv[2]" %(valued)s
end
# The command as far as it is typed: "", "source", "source add".
function __netml_command
  set -l command ''
  set -l pending no
  for word in (commandline -opc)[2..-1]
    if test $pending = yes
      set pending no
      continue
    end
    switch $word
      case '--*=*'
      case '-?*'
        if __netml_takes_value "$command" $word; or __netml_takes_value '' $word
          set pending yes
        end
      case '*'
        set -l longer (string trim -- "$command $word")
        if contains -- $longer %(commands)s
          set command $longer
        end
    end
  end
  echo $command
end
function __netml_at
  test (__netml_command) = "$argv"
end
complete -c netml -f
"""


def fish_value(entry):
    kind = kind_of(entry)
    if kind in ("FILE", "DIR"):
        return " -r -F" if kind == "FILE" else " -x -a '(__fish_complete_directories)'"
    return f" -x -a {fish_quoted(kind[1:])}" if kind else " -x"


def fish_option(condition, option):
    text = f"complete -c netml{condition}"
    for name in option["names"]:
        text += f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}"
    if option["value"] is not None:
        text += fish_value(option)
    return f"{text} -d {fish_quoted(one_line(option['help']))}\n"


def fish_command(table, command):
    at = f" -n '__netml_at {key_of(command)}'" if command["words"] else " -n '__netml_at \"\"'"
    text = ""
    for other in commands_below(table, command):
        text += (f"complete -c netml{at} -a {other['words'][-1]} "
                 f"-d {fish_quoted(one_line(other['summary']))}\n")
    for option in command["options"]:
        text += fish_option(at if command["words"] else "", option)
    for kind in dict.fromkeys(argument_kinds(table, command)):
        if kind == "FILE":
            text += f"complete -c netml{at} -F\n"
        elif kind == "DIR":
            text += f"complete -c netml{at} -a '(__fish_complete_directories)'\n"
        elif kind:
            text += f"complete -c netml{at} -a {fish_quoted(kind[1:])}\n"
    return text


def fish(table):
    valued = [f"{key_of(command)} {name}" for command in table["commands"]
              for option in command["options"] if option["value"] is not None
              for name in option["names"]]
    names = [key_of(command) for command in table["commands"] if command["words"]]
    head = FISH % {"valued": " ".join(map(fish_quoted, valued)),
                   "commands": " ".join(map(fish_quoted, names))}
    return head + "".join(fish_command(table, command) for command in table["commands"])


def scripts(table):
    """Names of files and their texts."""
    return {"netml.bash": BASH % shell_tables(table), "_netml": ZSH % zsh_tables(table),
            "netml.fish": fish(table)}
