"""Manual pages of the table of commands: netml.1, and netml-WORDS.1 of each command."""

import datetime
import os
import re


def escaped(text):
    """Text that the formatter shows as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    return re.sub(r"(?m)^\.", r"\\&.", text)


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def italic(text):
    return f"\\fI{escaped(text)}\\fR"


def page_name(words):
    return "-".join(["netml", *words])


def day():
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return ""
    return datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).strftime("%Y-%m-%d")


def title(table, words):
    name = escaped(page_name(words).upper())
    return f'.TH "{name}" "1" "{day()}" "netml {escaped(table["version"])}" "NetML Node"\n'


def lines_of(text):
    """Lines of a help: paragraphs are filled, what is indented stands as it is."""
    out, literal = [], False
    for line in text.strip("\n").split("\n"):
        table = line.startswith("  ")
        if table != literal:
            out.append(".PP\n.nf" if table else ".fi\n.PP")
            literal = table
        if line:
            out.append(escaped(line))
        elif not literal:
            out.append(".PP")
    if literal:
        out.append(".fi")
    return re.sub(r"(\.PP\n)+", ".PP\n", "\n".join(out) + "\n").removeprefix(".PP\n").replace(
        ".PP\n.fi\n", ".fi\n")


def value_of(option):
    if option["value"] is None:
        return ""
    if option["choices"]:
        return "|".join(bold(choice) for choice in option["choices"])
    return italic(option["value"])


def option_head(option):
    value = value_of(option)
    names = ", ".join(bold(name) for name in option["names"])
    return f"{names} {value}".strip()


def option_remarks(option):
    text = escaped(option["help"])
    if option["required"]:
        text += " (required)"
    if option["default"] is not None:
        text += f" (default: {escaped(option['default'])})"
    return text


def option_list(options):
    return "".join(f".TP\n{option_head(option)}\n{option_remarks(option)}\n" for option in options)


def argument_text(argument):
    text = italic(argument["names"][0]) + (" ..." if argument["repeated"] else "")
    return text if argument["required"] else f"[{text}]"


def argument_list(arguments):
    return "".join(f".TP\n{italic(argument['names'][0])}\n{escaped(argument['help'])}\n"
                   for argument in arguments)


def synopsis(command):
    text = bold(" ".join(["netml", *command["words"]]))
    required = [option for option in command["options"] if option["required"]]
    text += "".join(f" {bold(option['names'][-1])} {value_of(option)}" for option in required)
    if len(command["options"]) > len(required):
        text += " [" + italic("OPTION") + " ...]"
    if command["group"]:
        text += " " + italic("COMMAND")
    return text + "".join(" " + argument_text(argument) for argument in command["arguments"]) + "\n"


def below(table, words):
    """Commands of the program, or of a group."""
    return [command for command in table["commands"]
            if len(command["words"]) == len(words) + 1 and command["words"][:-1] == words]


def command_list(commands):
    return "".join(f".TP\n\\fB{escaped(page_name(command['words']))}\\fR(1)\n"
                   f"{escaped(command['summary'])}\n" for command in commands)


def exit_status(table):
    return ".SH EXIT STATUS\n" + "".join(f".TP\n.B {entry['code']}\n{escaped(entry['meaning'])}\n"
                                         for entry in table["exit_codes"])


def see_also(table, words):
    """The program, the group and its others."""
    names = ["netml"] if words else []
    if len(words) == 2:
        names.append(page_name(words[:1]))
    if len(words) >= 1:
        near = below(table, words) or (below(table, words[:-1]) if len(words) == 2 else [])
        names += [page_name(other["words"]) for other in near if other["words"] != words]
    listed = ",\n".join(f"\\fB{escaped(name)}\\fR(1)" for name in names)
    return f".SH SEE ALSO\n{listed}\n" if names else ""


def page(table, command):
    words = command["words"]
    text = title(table, words)
    summary = command["summary"].removeprefix("netml: ")
    summary = summary[0].upper() + summary[1:]
    text += f".SH NAME\n{escaped(page_name(words))} \\- {escaped(summary)}\n"
    text += ".SH SYNOPSIS\n" + synopsis(command)
    text += f".SH DESCRIPTION\n{escaped(summary)}.\n"
    if words:
        text += (".PP\nOptions of the program, which go with every command, stand in\n"
                 "\\fBnetml\\fR(1).\n")
    if command["group"]:
        text += ".SH COMMANDS\n" + command_list(below(table, words))
    if command["arguments"]:
        text += ".SH ARGUMENTS\n" + argument_list(command["arguments"])
    if command["options"]:
        text += ".SH OPTIONS\n" + option_list(command["options"])
    if command["example"]:
        text += f".SH EXAMPLES\n.nf\n{escaped(command['example'])}\n.fi\n"
    if words and command["notes"]:
        text += ".SH NOTES\n" + lines_of(command["notes"])
    if not words:
        for topic in table["topics"]:
            if topic["name"] != "exit-codes":
                text += f'.SH "{escaped(topic["title"]).upper()}"\n' + lines_of(topic["text"])
    return text + exit_status(table) + see_also(table, words)


def pages(table):
    """Names of files and their texts."""
    return {page_name(command["words"]) + ".1": page(table, command)
            for command in table["commands"]}
