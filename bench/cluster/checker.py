"""What must hold of a history of clients and of what the members have in the end. Pure functions:
no clock, no file, no network.

A history is a list of operations, objects as the lines of history.jsonl have them (clients.py
writes them). All have `kind`, `member`, `begin` and `end` (seconds of one steady clock; `end` is
when the client knew), and

  write    `outcome` (done, refused, unknown), `node` (id of the node that it makes); done: `lsn`,
           `request_id`
  import   the same with `group`, `generation` and `file_hash` instead: a file that gives all
           elements of the group the generation as their name
  read     `outcome`; done: `head` (as X-NetML-Head), `lsn` (of the content), `nodes` (ids seen),
           `groups` (by id, the names of all of its elements); asked for with `at_least` (a head, or
           null) and `fresh`
  export   the same; done: `digest` of the bytes instead of `lsn`, `nodes` and `groups`
  status   `role`, `epoch`, `run` (which run of that member)
  poll     nothing more: the member asked the peer for its map

What is there in the end, `final`:

  members  by name: `chain` (transactions by LSN: `lsn`, `head`, `committed`, `cause`, `request_id`,
           `file_hash`, `nodes` (ids of the nodes that it made), how many elements it `created`,
           `updated`, `deleted`), `digest` of its export, `findings` of netml verify, `files_gone`:
           how many stored files its imports name that it has not
  appends  as the database has them, by LSN: `before` and `after` (heads), `epoch`; none where there
           is no database
  polls    `time` and `scheduled` of each
"""

from bisect import bisect_right
from collections import Counter, defaultdict

CHANGES = ("write", "import")
READS = ("read", "export")


def check(history, final):
    """By the name of each property what breaks it, in words."""
    return {name: breaks(history, final) for name, breaks in PROPERTIES.items()}


def lsn_of(head):
    return int(head.split(":")[0])


def shown_lsns(history, final):
    """Says of a read, up to which LSN the history goes that it shows; 0 where it did not say. A map
    is the same until the next transaction that changes it, and names the first LSN of these."""
    files = {each["file_hash"] for each in of_kind(history, "import")}
    changing = [each["lsn"] for each in longest_chain(final) if each["created"] or each["updated"]
                or each["deleted"] or each["nodes"] or each["file_hash"] in files]

    def shown(read):
        if "lsn" not in read:
            return lsn_of(read["head"]) if read["head"] else 0
        index = bisect_right(changing, read["lsn"])
        return changing[index] - 1 if index < len(changing) else 1 << 62

    return shown


def of_kind(history, *kinds, outcome=None):
    return [each for each in history if each["kind"] in kinds
            and (outcome is None or each["outcome"] == outcome)]


def mark(change):
    """What the change is known by in the journal."""
    return change["node"] if change["kind"] == "write" else change["file_hash"]


def text(operation):
    what = mark(operation) if operation["kind"] in CHANGES else operation["kind"]
    return f"{what} at {operation['member']} ({operation['begin']:.3f} to {operation['end']:.3f})"


def longest_chain(final):
    """Of the member that has most; whether the others agree is a property of its own."""
    chains = [member["chain"] for member in final["members"].values()]
    return max(chains, key=len, default=[])


def places(final):
    """By mark the LSNs of the transactions that made it."""
    found = defaultdict(list)
    for transaction in longest_chain(final):
        if transaction["committed"]:
            marks = list(transaction["nodes"])
            if transaction["cause"] == "import":
                marks.append(transaction["file_hash"])
            for each in marks:
                found[each].append(transaction["lsn"])
    return found


def acknowledged_are_there_once(history, final):
    found = places(final)
    ids = Counter(each["request_id"] for each in longest_chain(final) if each["request_id"])
    broken = []
    for change in of_kind(history, *CHANGES, outcome="done"):
        lsns = found[mark(change)]
        if not lsns:
            broken.append(f"lost: {text(change)}")
        elif len(lsns) > 1:
            broken.append(f"doubled: {text(change)} is at LSNs {lsns}")
        elif change["kind"] == "write" and lsns != [change["lsn"]]:
            broken.append(f"moved: {text(change)} was answered {change['lsn']}, is at {lsns[0]}")
        elif change["kind"] == "write" and ids[change["request_id"]] != 1:
            broken.append(f"request {change['request_id']} is there {ids[change['request_id']]} "
                          "times")
    return broken


def refused_are_absent(history, final):
    found = places(final)
    return [f"{text(change)} is at LSNs {found[mark(change)]}"
            for change in of_kind(history, *CHANGES, outcome="refused") if found[mark(change)]]


def unknown_are_decided_once(history, final):
    found = places(final)
    read = {node for each in of_kind(history, "read", outcome="done") for node in each["nodes"]}
    broken = []
    for change in of_kind(history, *CHANGES, outcome="unknown"):
        lsns = found[mark(change)]
        if len(lsns) > 1:
            broken.append(f"{text(change)} is at LSNs {lsns}")
        if not lsns and mark(change) in read:
            broken.append(f"{text(change)} was read, and is gone")
    return broken


def members_agree(_history, final):
    broken, heads = [], {}
    for name, member in final["members"].items():
        for transaction in member["chain"]:
            first, head = heads.setdefault(transaction["lsn"], (name, transaction["head"]))
            if head != transaction["head"]:
                broken.append(f"fork: {first} and {name} differ at LSN {transaction['lsn']}")
                break
        lsns = [transaction["lsn"] for transaction in member["chain"]]
        if any(after != before + 1 for before, after in zip(lsns, lsns[1:])):
            broken.append(f"{name} leaves out LSNs")
        broken += [f"verify at {name}: {finding}" for finding in member["findings"]]
    ends = {name: member["chain"][-1]["head"] if member["chain"] else None
            for name, member in final["members"].items()}
    if len(set(ends.values())) > 1:
        broken.append(f"different heads in the end: {ends}")
    elif len({member["digest"] for member in final["members"].values()}) > 1:
        broken.append("different exports at the same head in the end")
    return broken


def files_are_kept(_history, final):
    """A member lacks a file only where retention removed it, and no run lasts so long."""
    return [f"{name} lacks {member['files_gone']} files of imports"
            for name, member in final["members"].items() if member["files_gone"]]


def exports_agree(history, _final):
    """One LSN, one content, whichever member sent it."""
    first, broken = {}, []
    for export in of_kind(history, "export", outcome="done"):
        if not export["head"]:  # a single node names none
            continue
        before = first.setdefault(export["head"], export)
        if before["digest"] != export["digest"]:
            broken.append(f"{text(before)} and {text(export)} differ at {export['head']}")
    return broken


def order_is_that_of_time(history, final):
    """What began after the answer to another has a higher LSN."""
    found = places(final)
    changes = [(each, found[mark(each)][0]) for each in of_kind(history, *CHANGES)
               if found[mark(each)]]
    ended = sorted((each["end"], lsn, text(each)) for each, lsn in changes
                   if each["outcome"] == "done")
    broken, newest, index = [], (0, ""), 0
    for change, lsn in sorted(changes, key=lambda pair: pair[0]["begin"]):
        while index < len(ended) and ended[index][0] < change["begin"]:
            newest = max(newest, ended[index][1:])
            index += 1
        if lsn <= newest[0]:
            broken.append(f"{text(change)} is at {lsn}, after {newest[1]} was answered "
                          f"{newest[0]}")
    return broken


def tokens_are_respected(history, final):
    shown = shown_lsns(history, final)
    heads = {each["lsn"]: each["head"] for each in longest_chain(final)}
    broken = []
    for read in of_kind(history, *READS, outcome="done"):
        if not read.get("at_least"):
            continue
        wanted = lsn_of(read["at_least"])
        if shown(read) < wanted:
            broken.append(f"{text(read)} shows {read['head']}, asked for {read['at_least']}")
        elif heads.get(wanted, read["at_least"]) != read["at_least"]:
            broken.append(f"{text(read)} was answered, but {read['at_least']} is another history")
    return broken


def fresh_reads_are_fresh(history, final):
    shown = shown_lsns(history, final)
    ended = sorted((each["end"], each["lsn"]) for each in of_kind(history, *CHANGES, outcome="done")
                   if each.get("lsn"))
    reads = [each for each in of_kind(history, *READS, outcome="done")
             if each["fresh"] and shown(each)]  # a single node's exports name none
    broken, newest, index = [], 0, 0
    for read in sorted(reads, key=lambda each: each["begin"]):
        while index < len(ended) and ended[index][0] < read["begin"]:
            newest = max(newest, ended[index][1])
            index += 1
        if shown(read) < newest:
            broken.append(f"{text(read)} shows {read['head']}, but {newest} had been answered")
    return broken


def reads_are_a_prefix(history, final):
    """Each shows exactly what the chain has up to one LSN, and its header names no other chain."""
    chain = longest_chain(final)
    made, generations = {}, []
    of_hash = {each["file_hash"]: each for each in of_kind(history, "import")}
    for transaction in chain:
        for node in transaction["nodes"] if transaction["committed"] else ():
            made[node] = transaction["lsn"]
        change = of_hash.get(transaction["file_hash"])
        if change and transaction["cause"] == "import" and transaction["committed"]:
            generations.append((transaction["lsn"], change["group"], change["generation"]))
    heads = {each["lsn"]: each["head"] for each in chain}
    broken = []
    for read in of_kind(history, "read", outcome="done"):
        expected = {node for node, lsn in made.items() if lsn <= read["lsn"]}
        if expected != set(read["nodes"]):
            broken.append(f"{text(read)} at LSN {read['lsn']}: "
                          f"lacks {sorted(expected - set(read['nodes']))[:3]}, "
                          f"has {sorted(set(read['nodes']) - expected)[:3]} too much")
        newest = {group: generation for lsn, group, generation in generations
                  if lsn <= read["lsn"]}
        for group in newest | read["groups"]:
            names = sorted(set(read["groups"].get(group, ())))
            if names != [newest.get(group)]:
                broken.append(f"{text(read)} at LSN {read['lsn']}: {group} shows {names}, not "
                              f"{newest.get(group)}")
        head = read["head"]
        if head and heads.get(lsn_of(head), head) != head:
            broken.append(f"{text(read)} names {head}, which no member has")
    return broken


def one_leader_in_an_epoch(history, final):
    broken, leaders = [], {}
    for status in of_kind(history, "status"):
        if status["role"] != "leader":
            continue
        run = status["run"]
        if leaders.setdefault(status["epoch"], run) != run:
            broken.append(f"{run} and {leaders[status['epoch']]} lead in epoch {status['epoch']}")
    for before, after in zip(final["appends"], final["appends"][1:]):
        if before["after"] != after["before"]:
            broken.append(f"the database has {before['after']}, then {after['before']}")
        if before["epoch"] > after["epoch"]:
            broken.append(f"{after['after']} was written in epoch {after['epoch']}, after "
                          f"{before['epoch']} had begun")
    return broken


def polls_run_once(_history, final):
    minutes = Counter(poll["time"][:16] for poll in final["polls"] if poll["scheduled"])
    return [f"{count} scheduled polls at {minute}" for minute, count in minutes.items()
            if count > 1]


def leaders_poll(history, _final):
    """Whoever polls said before or after it that it leads."""
    broken = []
    for poll in of_kind(history, "poll"):
        said = sorted((each for each in of_kind(history, "status")
                       if each["member"] == poll["member"]), key=lambda each: each["begin"])
        before = [each for each in said if each["begin"] <= poll["begin"]][-1:]
        after = [each for each in said if each["begin"] > poll["begin"]][:1]
        roles = {each["role"] for each in before + after}
        if before and after and "leader" not in roles:
            broken.append(f"{poll['member']} polled at {poll['begin']:.3f}, a {roles.pop()}")
    return broken


PROPERTIES = {
    "every 201 is there once": acknowledged_are_there_once,
    "refused changes are absent": refused_are_absent,
    "unknown changes are decided once": unknown_are_decided_once,
    "all members have the same": members_agree,
    "files of imports are kept": files_are_kept,
    "exports are equal at an LSN": exports_agree,
    "order is that of time": order_is_that_of_time,
    "tokens are respected": tokens_are_respected,
    "fresh reads are fresh": fresh_reads_are_fresh,
    "reads are a prefix": reads_are_a_prefix,
    "one leader in an epoch": one_leader_in_an_epoch,
    "polls run once": polls_run_once,
    "only leaders poll": leaders_poll,
}
