"""The command lines that golden_test.py tries: each command with good and with wrong arguments."""


def case(*words, **more):
    """A command line. `more`: `input`, `variables`, `replaced` (pairs of pattern and word)."""
    return {"words": list(words), **more}


def story(*cases, start="loaded"):
    return {"start": start, "cases": list(cases)}


FAULTY = """<?xml version="1.0"?>
<grenml:Topology id="urn:example:faulty" xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml">
  <grenml:Institution><grenml:name>No id</grenml:name></grenml:Institution>
  <grenml:Unknown/>
</grenml:Topology>
"""
RULES = """[{"name": "Decisions", "rules": [{"name": "no node",
  "match_criteria": [{"match_type": "Match Nodes by ID",
                      "matchinfo_set": [{"key": "ID", "value": "urn:example:node:none"}]}],
  "actions": [{"action_type": "Delete Node", "actioninfo_set": []}]}]}]
"""
GRAPH = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="l" for="node" attr.name="label"/><key id="y" for="node" attr.name="Latitude"/>
 <key id="x" for="node" attr.name="Longitude"/>
 <graph id="Small" edgedefault="undirected">
  <node id="a"><data key="l">Oslo</data><data key="y">59.91</data><data key="x">10.75</data></node>
  <node id="b"><data key="l">Bergen</data><port name="p"/></node>
  <edge source="a" target="b" directed="true"/>
 </graph>
</graphml>
"""

SMALL = "6bb5705d112d32e39c9340872d38e501d0754f393daad77bb14e7f60be932c6c"  # made of its name
CITIES = """netml places 1\tmade 7\t3
NO\tNorway
SE\tSweden
Bergen\tNO\t46\t60.39299\t5.32415
"""

POLICY = """{"name": "Two ways out", "routes": 2,
 "who": {"kind": "institution", "tag": "connected institution"},
 "to": {"kind": "node", "tag": "Core"}}
"""
SHOWN_POLICY = (  # as `policy show` writes it
    '{"name":"Two ways out","shared_risk_groups":true,'
    '"who":{"kind":"institution","tag":"connected institution"},'
    '"to":{"kind":"node","tag":"Core"},"routes":2,"disjoint":"links","distinct_ends":false}\n')
UNNAMED_POLICY = POLICY.replace('"name": "Two ways out", ', "")

PUBLIC_VIEW = """{"steps": [
 {"drop": {"kind": "link", "property": {"name": "srlg", "value": "duct 3"}}},
 {"round": {"degrees": 0.5}}, {"drop_properties": {"names": "srlg"}}]}
"""
EAST_VIEW = '{"steps": [{"keep": {"owner": "urn:x:East"}}]}'


CAMPUSES = {"East": ["duct 1", "duct 2"], "West": ["duct 3", "duct 3"],
            "North": ["a; b", "b; c", "c; a"]}


def campuses():
    """Campuses with one node each, and links to the core: the shared-risk groups of each."""
    institutions = "".join(
        f'<Institution id="urn:x:{name}"><name>{name}</name>'
        f'<Property name="tag">campus</Property></Institution>\n' for name in CAMPUSES)
    links = "".join(
        f'<Link id="urn:x:{name}:{number}"><name>{name} {number}</name><owner>urn:x:net</owner>'
        f'<Property name="srlg">{group}</Property>'
        f'<node>urn:x:node:{name}</node><node>urn:x:core</node></Link>\n'
        for name, groups in CAMPUSES.items() for number, group in enumerate(groups, 1))
    nodes = "".join(
        f'<Node id="urn:x:node:{name}"><name>{name} POP</name><owner>urn:x:{name}</owner></Node>\n'
        for name in CAMPUSES)
    return f"""<?xml version="1.0"?>
<Topology id="urn:x" xmlns="http://schemas.ogf.org/nml/2020/01/grenml">
<name>Campuses</name><owner>urn:x:net</owner>
<Institution id="urn:x:net"><name>Net</name></Institution>
{institutions}{links}{nodes}<Node id="urn:x:core"><name>Core</name><owner>urn:x:net</owner>
<Property name="tag">core</Property></Node>
</Topology>
"""


FILES = {"policy.json": POLICY, "view.json": PUBLIC_VIEW, "campuses.xml": campuses(),
         "common.json": POLICY.replace("{", '{"common_km_max": 500, ', 1),
         "less.json": POLICY.replace("{", '{"common_km_max": 0.5, ', 1),
         "campus.json": POLICY.replace("connected institution", "campus")
                              .replace("Core", "core"),
         "named.json": POLICY.replace('"tag": "connected institution"',
                                      '"ids": ["urn:example:inst:baynet", "urn:example:none"]'),
         "mistyped.json": POLICY.replace("routes", "rutes"),
         "cities.tsv": CITIES, "broken.tsv": CITIES + "x\n",
         "ends.csv": "Extremo A,Extremo B\nLima,Cusco\n",
         "filled.csv": "kind,identifier,name\nnode,urn:example:node:quay,Quay 2\n",
         "misfit.csv": "kind,identifier,name\nnode,urn:none,N\n",
         "small.graphml": GRAPH, "moved.graphml": GRAPH.replace("59.91", "59.95"),
         "faulty.xml": FAULTY, "rules.json": RULES,
         "broken.json": "[{", "empty.xml": "",
         "good.toml": 'data = "netml-data"\njson = true\n', "bad.toml": 'dta = "x"\n',
         "broken.toml": 'data = "x\n'}

LOADING = [case("import", "map.xml"),
           case("publish", "Spring", "--description", "First"),
           case("token", "create", "peer.example.org", "--kind", "polling"),
           case("user", "create", "ann", "--role", "editor", "--password-stdin",
                input="a long password of ann\n"),
           case("source", "add", "garr", "--host", "127.0.0.1", "--port", "9"),
           case("import", "map.xml", "--plan")]

INSTALLED = [(r"\S+/share/netml/", "SHARE/netml/")]
SECRET = [(r"(?m)^[A-Za-z0-9_-]{32,}$", "SECRET")]
WEBHOOK_SECRET = [(r"whsec_[A-Za-z0-9+/]{43}=", "SECRET")]
MAP_TAG = [(r'("tag":)"[0-9a-f]{32}"', r'\1"TAG"')]
# Where the process runs, not what was asked.
PROCESS = [(r"(?m)^(memory \w+( \w+)?|journal|disk|map in memory|version|map of the start) .*$",
            r"\1 TEXT"),
           (r'"memory":\{.*?\}\}', '"memory":{}')]
BUILD = [(r"(?s)^netml \S+\nrevision.*", "VERSION"), (r'"libraries":\{[^}]*\}', '"libraries":{}')]
TIMES_OF_A_POLL = [(r"(?m)(\+00:00) +\d+ +\d* ", r"\1 MS "), (r"(?m) \d+ +\d* +(?=\D*$)", " MS ")]

# Those whose success tests of their own have, since it takes a server, a peer, long journals or
# damage.
NEVER_DONE = {"serve", "archive", "repair", "source test", "source collect", "downgrade-check",
              "receipt show", "receipt make", "webhook test", "cluster init", "cluster join",
              "cluster leave", "cluster status", "cluster refill"}

STORIES = {
    "program": story(
        case(), case("--help"), case("--version", replaced=BUILD),
        case("--version", "--json", replaced=BUILD),
        case("version", replaced=BUILD), case("version", "--json", replaced=BUILD),
        case("version", "now"),
        case("--json"), case("--nonsense"), case("imprt", "map.xml"), case("frobnicate"),
        case("frobnicate", "--json"),
        case("status", "--config", "none.toml"), case("status", "--config", "bad.toml"),
        case("status", "--config", "broken.toml"),
        case("log", "--config", "good.toml", "--limit", "1"),
        case("token", "list", variables={"NETML_JSON": "true"}),
        case("token", "list", variables={"NETML_JSON": "perhaps"}),
        case("status", "--limit", "xml_dept_max=5"), case("status", "--limit", "xml_depth_max=0"),
        case("status", "--memory-max", "much"), case("status", "--data", "elsewhere"),
        case("status", "--data"), start="loaded"),
    "help": story(
        case("help"), case("help", "import"), case("help", "source", "add"), case("help", "source"),
        case("help", "exit-codes"), case("help", "exit-codes", "--json"), case("help", "options"),
        case("help", "json"), case("help", "files"), case("help", "times"),
        case("help", "data-directory"),
        case("help", "secrets"), case("help", "export", "--json"),
        case("help", "exitcodes"), case("help", "nothing"),
        case("help", "--nonsense"), start="empty"),
    "serve": story(
        case("serve", "--listen", "nowhere"), case("serve", "--listen", "127.0.0.1:99999"),
        case("serve", "--tls-cert", "chain.pem"),
        case("serve", "--tls-cert", "none.pem", "--tls-key", "none.pem"),
        case("serve", "--shutdown-timeout", "soon"), case("serve", "--poll-allow", "10.0.0.0/40"),
        case("serve", "now"), case("serve", "--lisen", "127.0.0.1:0"),
        case("serve", "--help"), start="empty"),
    "config": story(
        case("config"), case("config", "show"), case("config", "show", "--json"),
        case("config", "show", "--config", "good.toml"),
        case("config", "show", "--config", "bad.toml"),
        case("config", "show", "--shutdown-timeout", "3",
             variables={"NETML_LISTEN": "127.0.0.1:1"}),
        case("config", "show", "now"),
        case("config", "check"), case("config", "check", "none.toml"),
        case("config", "check", "good.toml"), case("config", "check", "good.toml", "--json"),
        case("config", "check", "bad.toml"), case("config", "check", "bad.toml", "--json"),
        case("config", "check", "broken.toml"),
        case("config", "example"), case("config", "example", "now"), start="empty"),
    "init": story(
        case("init"), case("init", "--name", "Net"), case("init", "--name", "", "--owner", "Org"),
        case("init", "--name", "Net", "--owner", "Org", replaced=SECRET),
        case("init", "--name", "Again", "--owner", "Org"),
        case("init", "--name", "Net", "--owner", "Org", "--data", "other", "--json"),
        start="empty"),
    "import": story(
        case("import"), case("import", "none.xml"), case("import", "none.xml", "--json"),
        case("import", "map.xml", "--dry-run"), case("import", "map.xml"),
        case("import", "map.xml", "--json"),
        case("import", "-", input=FAULTY), case("import", "faulty.xml"),
        case("import", "faulty.xml", "--json"),
        case("import", "empty.xml"), case("import", "."), case("import", "policy.json"),
        case("import", "map.xml", "again.xml"),
        case("import", "map.xml", "--parent", "urn:none"),
        case("import", "map.xml", "--parent", "x", "--root"),
        case("import", "map.xml", "--date", "yesterday"), case("import", "map.xml", "--dryrun"),
        case("import", "map.xml", "--plan"), case("import", "map.xml", "--plan", "--dry-run"),
        case("import", "map.xml", "--limit", "xml_depth_max=1"),
        case("import", "filled.csv", "--update", "urn:example:topo:bay"),
        case("import", "misfit.csv", "--update", "urn:example:topo:bay"),
        case("import", "filled.csv", "--update", "urn:example:topo:bay", "--root"),
        case("import", "map.xml", "--update", "urn:example:topo:bay"),
        case("import", "filled.csv", "--update", "urn:none")),
    "export": story(
        case("export", "-o", "out.xml"), case("export", "-o", "out.xml", "--json"),
        case("export", "-o", "none/out.xml"), case("export", "--format", "pdf"),
        case("export", "extra"), case("export", "--columns", "tag"),
        case("export", "--format", "csv", "--columns", "tag", "-o", "tag.csv"),
        case("export", "--topology", "urn:none", "-o", "out.xml"),
        case("export", "--at", "never", "-o", "out.xml"),
        case("export", "--at", "latest", "--published"),
        case("export", "--published", "-o", "out.xml"),
        case("export", "--out", "out.xml"), case("export", "-o"),
        case("export", "-o", "out.xml", "--data", "elsewhere"),
        case("export", "--parquet", "history"), case("export", "--parquet", "history", "--json"),
        case("export", "--parquet", "new", "--since", "3", "--json"),
        case("export", "--parquet", "new", "--since", "4"),
        case("export", "--parquet", "newer", "--since", "99"),
        case("export", "--parquet", "newer", "--since", "then"),
        case("export", "--parquet", "none/history"), case("export", "--parquet", "map.xml"),
        case("export", "--parquet", "history", "-o", "out.xml"),
        case("export", "--since", "3")),
    "convert": story(
        case("convert"), case("convert", "small.graphml", "small.xml", "--loss", "-"),
        case("convert", "small.graphml", "-", "--to", "d3", "--owner", "Example"),
        case("convert", "small.graphml", "small.xml", "--json"),
        case("convert", "small.graphml", "small.xml", "--mapping", "nodes=device"),
        case("convert", "map.xml", "map.graphml"), case("validate", "map.graphml"),
        case("convert", "ends.csv", "ends.graphml", "--map", "Extremo A=link end", "--map",
             "Extremo B=link end"),
        case("convert", "ends.csv", "ends.graphml", "--map", "Extremo A=end of it"),
        case("convert", "map.xml", "map.graphml", "--map", "A=name"),
        case("convert", "map.xml", "map.unknown"), case("convert", "empty.xml", "-", "--to", "d3"),
        case("convert", "none.xml", "map.graphml"), case("convert", "policy.json", "policy.xml"),
        start="empty"),
    "validate": story(
        case("validate"), case("validate", "map.xml"), case("validate", "map.xml", "--json"),
        case("validate", "-", input=FAULTY), case("validate", "faulty.xml"),
        case("validate", "faulty.xml", "--json"),
        case("validate", "empty.xml"), case("validate", "none.xml"),
        case("validate", "map.xml", "faulty.xml"),
        case("validate", "policy.json"), case("validate", "policy.json", "--format", "graphml"),
        case("validate", "map.xml", "--format", "pdf"),
        case("validate", "map.xml", "--quik"), start="empty"),
    "generate": story(
        case("generate"), case("generate", "--topologies", "1", "--nodes", "2"),
        case("generate", "--topologies", "1", "--nodes", "2", "--links", "1", "-o", "small.xml"),
        case("generate", "--topologies", "1", "--nodes", "2", "--links", "1", "-o", "small.xml",
             "--json"),
        case("generate", "--topologies", "many", "--nodes", "2", "--links", "1"),
        case("generate", "--topologies", "-1", "--nodes", "2", "--links", "1"),
        case("generate", "--topologies", "1", "--nodes", "0", "--links", "1"),
        case("generate", "--topologies", "1", "--nodes", "2", "--links", "1", "-o",
             "none/small.xml"),
        case("validate", "small.xml"), start="empty"),
    "publish": story(
        case("publish"), case("publish", "Summer"), case("publish", "Autumn", "--json"),
        case("publish", "Summer"),
        case("publish", ""), case("publish", "A", "B"), case("publish", "A", "--descripton", "x"),
        case("published"), case("published", "lst"), case("published", "list"),
        case("published", "list", "--json"),
        case("published", "list", "all"), case("published", "show"), case("published", "show", "1"),
        case("published", "show", "#1", "--json"), case("published", "show", "99"),
        case("published", "show", "one"),
        case("published", "delete"), case("published", "delete", "1"),
        case("published", "delete", "1"),
        case("published", "delete", "one")),
    "token": story(
        case("token"), case("token", "create"), case("token", "create", "b.example.org"),
        case("token", "create", "b.example.org", "--kind", "both"),
        case("token", "create", "b.example.org", "--kind", "import", replaced=SECRET),
        case("token", "create", "b.example.org", "--kind", "import"),
        case("token", "create", "c.example.org", "--kind", "polling", "--json"),
        case("token", "list"), case("token", "list", "--json"), case("token", "list", "all"),
        case("token", "delete"), case("token", "delete", "nobody"),
        case("token", "delete", "b.example.org"),
        case("token", "delete", "c.example.org", "--json"),
        case("token", "remove", "b.example.org")),
    "user": story(
        case("user"), case("user", "create"), case("user", "create", "bob", "--role", "king"),
        case("user", "create", "bob", "--password-stdin", input="short\n"),
        case("user", "create", "bob", "--password-stdin"),
        case("user", "create", "bob", "--password-stdin", input="a long password of bob\n"),
        case("user", "create", "bob", "--password-stdin", input="a long password of bob\n"),
        case("user", "create", "eve", "--password-stdin", "--json",
             input="a long password of eve\n"),
        case("user", "list"), case("user", "list", "--json"), case("user", "list", "all"),
        case("user", "passwd"),
        case("user", "passwd", "nobody", "--password-stdin", input="a long other password\n"),
        case("user", "passwd", "bob", "--password-stdin", input="\n"),
        case("user", "passwd", "bob", "--password-stdin", input="a long other password\n"),
        case("user", "passwd", "bob", "--password-stdin", "--json",
             input="a long third password\n"),
        case("user", "delete"), case("user", "delete", "nobody"), case("user", "delete", "bob"),
        case("user", "delete", "eve", "--json")),
    "source": story(
        case("source"), case("source", "ad"), case("source", "add"), case("source", "add", "geant"),
        case("source", "add", "geant", "--host", "map.example.org"),
        case("source", "add", "geant", "--host", "map.example.org"),
        case("source", "add", "x", "--host", "map.example.org", "--port", "99999"),
        case("source", "add", "x", "--host", "map.example.org", "--protocol", "ftp"),
        case("source", "add", "x", "--host", "map.example.org", "--protocol", "http"),
        case("source", "add", "x", "--host", "map.example.org", "--ca-file", "none.pem"),
        case("source", "add", "x", "--host", "map.example.org", "--ca-file", "map.xml"),
        case("source", "add", "x", "--host", "map.example.org", "--token-stdin", "--json",
             input="token\n"),
        case("source", "set"), case("source", "set", "nobody", "--port", "444"),
        case("source", "set", "geant", "--port", "444"),
        case("source", "set", "geant", "--port", "444", "--json"),
        case("source", "add", "stock", "--kind", "netbox", "--host", "netbox.example.org",
             "--filter", "europe"),
        case("source", "add", "stock", "--host", "netbox.example.org", "--filter", "tag=core"),
        case("source", "add", "stock", "--kind", "netbox", "--host", "netbox.example.org",
             "--filter", "region=europe", "--filter", "tag=core"),
        case("source", "show", "stock"),
        case("source", "set", "stock", "--no-filters", "--filter", "tag=edge"),
        case("source", "set", "stock", "--no-filters"),
        case("source", "set", "stock", "--mapping", "nodes=rack"),
        case("source", "set", "stock", "--mapping", "topologies=region,nodes=device"),
        case("source", "show", "stock"),
        case("source", "set", "geant", "--mapping", "nodes=device"),
        case("source", "list"), case("source", "list", "--json"), case("source", "list", "all"),
        case("source", "show"), case("source", "show", "geant"),
        case("source", "show", "garr", "--json"),
        case("source", "show", "nobody"),
        case("source", "disable"), case("source", "disable", "x"),
        case("source", "disable", "nobody"),
        case("source", "enable"), case("source", "enable", "x", "--json"),
        case("source", "enable", "nobody"),
        case("source", "delete"), case("source", "delete", "x"), case("source", "delete", "x"),
        case("source", "delete", "geant", "--json")),
    "poll": story(
        case("source", "test", "garr"), case("source", "test", "garr", "--json"),
        case("source", "test", "nobody"),
        case("source", "test", "garr", "--poll-allow", "everything"), case("source", "collect"),
        case("source", "collect", "garr", replaced=TIMES_OF_A_POLL),
        case("source", "collect", "nobody"),
        case("poll", "--sandbox"), case("poll"), case("poll", "--json"), case("poll", "nobody"),
        case("poll", "--forse"),
        case("source", "log"), case("source", "log", "--json"),
        case("source", "log", "1", replaced=TIMES_OF_A_POLL),
        case("source", "log", "1", "--json"), case("source", "log", "99"),
        case("source", "log", "one"),
        case("source", "disable", "garr"), case("poll"), case("source", "test")),
    "rules": story(
        case("rules"), case("rules", "import"), case("rules", "import", "none.json"),
        case("rules", "import", "broken.json"),
        case("rules", "import", "map.xml"), case("rules", "import", "rules.json", "--dry-run"),
        case("rules", "import", "-", input=RULES), case("rules", "import", "rules.json", "--json"),
        case("rules", "export", "-o", "out.json"),
        case("rules", "export", "-o", "out.json", "--json"),
        case("rules", "export", "-o", "none/out.json"), case("rules", "export", "extra"),
        case("rules", "list"), case("rules", "list", "extra"),
        case("rules", "apply"), case("rules", "apply", "--dry-run", "--json"),
        case("rules", "apply", "--rule", "no node"),
        case("rules", "apply", "--rule", "nothing"), case("rules", "apply", "--ruleset", "nothing"),
        case("rules", "apply", "--rule", "a", "--ruleset", "b"),
        case("rules", "test"), case("rules", "test", "rules.json"),
        case("rules", "test", "broken.json", "--json"),
        case("rules", "rehearse", "rules.json"),
        case("rules", "rehearse", "rules.json", "--since", "0"),
        case("rules", "rehearse", "broken.json", "--since", "0"),
        case("rules", "rehearse", "rules.json", "--since", "never"),
        case("rules", "rehearse", "rules.json", "--since", "0", "--json"),
        case("rules", "restore-defaults"), case("rules", "restore-defaults", "--json"),
        case("rules", "restore-defaults", "all")),
    "quality": story(
        case("quality"), case("quality", "report"), case("quality", "findings"),
        case("import", "small.graphml", "--root"),
        case("quality", "report"), case("quality", "report", "--json"),
        case("quality", "report", "--at", "1"), case("quality", "report", "--at", "soon"),
        case("quality", "findings"), case("quality", "findings", "--json"),
        case("quality", "findings", "--check", "place-missing"),
        case("quality", "findings", "--check", "place"),
        case("quality", "findings", "--topology", "urn:none"),
        case("quality", "fix"), case("quality", "fix", "--check", "place"),
        case("quality", "fix", "--check", "place-missing"),
        case("quality", "fix", "--check", "property-empty", "--topology", "urn:none"),
        case("quality", "fix", "--check", "property-empty", "--dry-run"),
        case("quality", "fix", "--check", "property-empty"),
        case("quality", "fix", "--check", "property-empty"),
        case("quality", "fix", "--check", "owner-missing", "--dry-run"),
        case("api", "PUT", "topologies/10", "--body",
             '{"id":"urn:small","name":"Small","owner":7,"parent":null}'),
        case("quality", "fix", "--check", "owner-missing", "--dry-run", "--json"),
        case("quality", "fix", "--check", "owner-missing"),
        case("undo", "11", "--dry-run"),
        case("quality", "history", "--points", "2"),
        case("quality", "history", "--points", "2", "--json"),
        case("quality", "history", "--points", "1"),
        case("quality", "history", "--topology", "urn:none")),
    "override": story(
        case("override"), case("override", "list"),
        case("import", "small.graphml", "--root"),
        case("api", "POST", "institutions?keep=true&reason=Not+theirs", "--body",
             '{"id":"urn:own","name":"Own","version":"2026-01-01T00:00:00Z","topologies":[1]}'),
        case("override", "list"), case("override", "list", "--json"),
        case("api", "PUT", "nodes/12?keep=true", "--body",
             '{"name":"Oslo","topologies":[10],"owners":[11],"latitude":"60","longitude":"10.75"}'),
        case("import", "moved.graphml", "--root"),
        case("override", "list", "--to-decide"), case("override", "keep", "2"),
        case("override", "keep", "1"), case("override", "keep", "first"),
        case("override", "end", "1"), case("override", "end", "1"),
        case("override", "list", "--to-decide", "--json"), case("override", "list", "extra"),
        case("override", "list", "--source", "nobody")),
    "redundancy": story(
        case("redundancy"), case("redundancy", "check"),
        case("redundancy", "check", "--policy", "none.json"),
        case("redundancy", "check", "--policy", "broken.json"),
        case("redundancy", "check", "--policy", "mistyped.json"),
        case("redundancy", "check", "--policy", "mistyped.json", "--json"),
        case("redundancy", "check", "--policy", "policy.json"),
        case("redundancy", "check", "--policy", "-", input=POLICY.replace("2", "1")),
        case("redundancy", "check", "--policy", "less.json"),
        case("redundancy", "report", "--policy", "common.json"),
        case("redundancy", "check", "--policy", "campus.json"),
        case("redundancy", "check", "--policy", "named.json"),
        case("import", "campuses.xml", "--root"),
        case("redundancy", "check", "--policy", "campus.json"),
        case("redundancy", "check", "--policy", "campus.json", "--at", "1"),
        case("redundancy", "check", "--policy", "campus.json", "--at", "soon"),
        case("redundancy", "check", "--policy", "campus.json", "--json"),
        case("redundancy", "report", "--policy", "campus.json"),
        case("redundancy", "report", "--policy", "campus.json", "--json"),
        case("redundancy", "report", "campus.json"),
        case("redundancy", "history"),
        case("redundancy", "history", "--policy", "campus.json"),
        case("redundancy", "history", "--policy", "campus.json", "--element", "urn:x:East"),
        case("redundancy", "history", "--policy", "campus.json", "--element", "urn:x:East",
             "--json"),
        case("redundancy", "history", "--policy", "campus.json", "--element", "urn:none"),
        case("redundancy", "history", "--policy", "campus.json", "--from", "9", "--until", "2"),
        case("redundancy", "history", "--policy", "none.json")),
    "policy": story(
        case("policy"), case("policy", "list"), case("policy", "list", "extra"),
        case("policy", "add"),
        case("policy", "add", "none.json"), case("policy", "add", "broken.json"),
        case("policy", "add", "mistyped.json"),
        case("policy", "add", "policy.json"), case("policy", "add", "policy.json"),
        case("policy", "add", "policy.json", "--name", "Other"),
        case("policy", "add", "-", "--name", "Held", "--on-import", "hold", "--json",
             input=UNNAMED_POLICY),
        case("policy", "add", "-", "--name", "x", "--on-import", "refuse", input=UNNAMED_POLICY),
        case("policy", "add", "-", "--name", "Off", "--disabled", input=UNNAMED_POLICY),
        case("policy", "list"), case("policy", "list", "--json"),
        case("policy", "set"), case("policy", "set", "Off"),
        case("policy", "set", "Off", "--name", "On", "--enabled", "yes", "--on-import", "hold"),
        case("policy", "set", "On", "--policy", "policy.json"),
        case("policy", "set", "On", "--policy", "-", "--enabled", "no", "--json",
             input=UNNAMED_POLICY.replace("2", "1")),
        case("policy", "set", "nobody", "--enabled", "no"),
        case("policy", "show"), case("policy", "show", "Two ways out"),
        case("policy", "show", "Held", "--json"), case("policy", "show", "nobody"),
        case("redundancy", "check", "--policy", "Two ways out"),
        case("redundancy", "report", "--policy", "Held"),
        case("redundancy", "history", "--policy", "Held"),
        case("redundancy", "check"), case("redundancy", "report", "--json"),
        case("import", "campuses.xml", "--root"), case("plan", "list"),
        case("policy", "delete"), case("policy", "delete", "Held"),
        case("policy", "delete", "Held"), case("policy", "delete", "Two ways out", "--json"),
        case("redundancy", "check"),
        case("policy", "add", "-", input=SHOWN_POLICY), case("policy", "show", "Two ways out")),
    "view": story(
        case("view"), case("view", "list"), case("view", "list", "extra"),
        case("import", "campuses.xml", "--root"),
        case("view", "create"), case("view", "create", "Public"),
        case("view", "create", "Public", "none.json"),
        case("view", "create", "Public", "broken.json"),
        case("view", "create", "Public", "-", input=PUBLIC_VIEW.replace("drop", "hide")),
        case("view", "create", "Public", "view.json"),
        case("view", "create", "Public", "view.json"),
        case("view", "create", "East", "-", "--json", input=EAST_VIEW),
        case("view", "list"), case("view", "list", "--json"),
        case("view", "show"), case("view", "show", "Public"),
        case("view", "show", "East", "--json"), case("view", "show", "nobody"),
        case("view", "preview"), case("view", "preview", "Public"),
        case("view", "preview", "view.json"), case("view", "preview", "none.json"),
        case("view", "preview", "-", input=EAST_VIEW.replace("East", "Easd")),
        case("view", "preview", "East", "--json", replaced=MAP_TAG),
        case("token", "create", "peer.example", "--kind", "polling", "--view", "nobody"),
        case("token", "create", "peer.example", "--kind", "import", "--view", "East"),
        case("setting", "set", "PUBLIC_MAP_VIEW", "nobody"),
        case("setting", "set", "PUBLIC_MAP_VIEW", "Public"),
        case("view", "list"),
        case("view", "edit"), case("view", "edit", "Public", "--name", "Everybody"),
        case("view", "edit", "East", "--name", "Eastern"),
        case("view", "edit", "Eastern", "--file", "view.json", "--json"),
        case("view", "edit", "nobody"),
        case("view", "delete"), case("view", "delete", "Public"),
        case("setting", "reset", "PUBLIC_MAP_VIEW", "--json"),
        case("view", "delete", "Public"), case("view", "delete", "Eastern", "--json"),
        case("view", "delete", "Eastern")),
    "receipt": story(
        case("receipt"), case("receipt", "list"), case("receipt", "list", "--json"),
        case("receipt", "list", "--token", "peer.example", "--limit", "5"),
        case("receipt", "list", "--limit", "few"),
        case("receipt", "show"), case("receipt", "show", "x"), case("receipt", "show", "1"),
        case("receipt", "make"), case("receipt", "make", "1"),
        case("receipt", "make", "1", "-o", "sent.xml")),
    "webhook": story(
        case("webhook"), case("webhook", "list"), case("webhook", "list", "all"),
        case("webhook", "add"), case("webhook", "add", "desk"),
        case("webhook", "add", "desk", "desk.example"),
        case("webhook", "add", "desk", "http://desk.example/netml"),
        case("webhook", "add", "desk", "https://127.0.0.1/netml", replaced=WEBHOOK_SECRET),
        case("webhook", "add", "desk", "https://desk.example/"),
        case("webhook", "add", "board", "http://board.example/", "--plain-http", "--inactive",
             "--json", replaced=WEBHOOK_SECRET),
        case("webhook", "list"), case("webhook", "list", "--json"),
        case("webhook", "edit"), case("webhook", "edit", "desk", "--active", "--inactive"),
        case("webhook", "edit", "desk", "--ca-file", "none.pem"),
        case("webhook", "edit", "desk", "--name", "office", "--inactive"),
        case("webhook", "edit", "office", "--active", "--json"),
        case("webhook", "edit", "nobody"),
        case("webhook", "secret"), case("webhook", "secret", "nobody"),
        case("webhook", "secret", "office", replaced=WEBHOOK_SECRET),
        case("webhook", "resume"), case("webhook", "resume", "office"),
        case("webhook", "resume", "board", "--json"),
        case("webhook", "test"), case("webhook", "test", "office"),
        case("webhook", "test", "nobody"),
        case("webhook", "log"), case("webhook", "log", "office"),
        case("webhook", "log", "office", "--json"),
        case("webhook", "delete"), case("webhook", "delete", "office"),
        case("webhook", "delete", "office"), case("webhook", "delete", "board", "--json"),
        case("webhook", "list")),
    "setting": story(
        case("setting"), case("setting", "list"), case("setting", "list", "all"),
        case("setting", "get"),
        case("setting", "get", "IMPORT_ANSWER"), case("setting", "get", "IMPORT_ANSWER", "--json"),
        case("setting", "get", "IMPORT_ANSWR"), case("setting", "get", "COLOUR"),
        case("setting", "set"),
        case("setting", "set", "IMPORT_ANSWER"), case("setting", "set", "IMPORT_ANSWER", "Queued"),
        case("setting", "set", "IMPORT_ANSWER", "Later"),
        case("setting", "set", "IMPORT_ANSWER", "Later", "--json"),
        case("setting", "reset"), case("setting", "reset", "IMPORT_ANSWER"),
        case("setting", "reset", "IMPORT_ANSWR")),
    "log": story(
        case("log"), case("log", "--json", "--limit", "1"), case("log", "--limit", "few"),
        case("log", "--limit", "-1"),
        case("log", "--since", "never"), case("log", "--actor", "nobody"),
        case("log", "--element", "urn:none"),
        case("log", "--follow"), case("log", "extra"), case("log", "--data", "elsewhere"),
        case("show"), case("show", "1"), case("show", "1", "--json"), case("show", "99"),
        case("show", "never"),
        case("diff"), case("diff", "1"), case("diff", "1", "latest"),
        case("diff", "1", "latest", "--json"),
        case("diff", "1", "never"), case("diff", "1", "2", "3"),
        case("history"), case("history", "urn:none"), case("history", "urn:example:inst:baynet"),
        case("history", "#1", "--json")),
    "watch": story(
        case("watch"), case("watch", "--after", "1", "--once"),
        case("watch", "--after", "1", "--once", "--json"),
        case("watch", "--after", "99", "--once"), case("watch", "--after", "then", "--once")),
    "replay": story(
        case("replay"), case("replay", "--until", "2"),
        case("replay", "--until", "never", "--into", "then"),
        case("replay", "--until", "2", "--into", "then"),
        case("replay", "--until", "2", "--into", "then"),
        case("replay", "--until", "1", "--into", "then-again", "--json"),
        case("status", "--data", "then", "--json",
                                                                              replaced=PROCESS)),
    "undo": story(
        case("undo"), case("undo", "never"), case("undo", "99"),
        case("undo", "import:1", "--dry-run"),
        case("undo", "5", "--json"), case("undo", "5"), case("undo", "import:99"),
        case("undo", "1", "2")),
    "plan": story(
        case("plan"), case("plan", "list"), case("plan", "list", "--json"),
        case("plan", "list", "all"),
        case("plan", "show"), case("plan", "show", "one"), case("plan", "show", "99"),
        case("plan", "show", "1"),
        case("plan", "show", "1", "--json", "--limit", "1"), case("plan", "again"),
        case("plan", "again", "1", "--dry-run"),
        case("plan", "again", "99"), case("apply"), case("apply", "one"), case("apply", "99"),
        case("apply", "1"),
        case("apply", "1"), case("import", "map.xml", "--plan"),
        case("plan", "again", "2", "--json"),
        case("apply", "2", "--json"), case("import", "map.xml", "--plan"), case("plan", "delete"),
        case("plan", "delete", "3"), case("plan", "delete", "3"), case("plan", "delete", "one")),
    "places": story(
        case("places"), case("places", "propose"), case("places", "propose", "urn:example:net"),
        case("places", "propose", "--topology", "urn:none", "--gazetteer", "cities.tsv"),
        case("import", "small.graphml", "--root"),
        case("places", "propose", "--topology", SMALL, "--gazetteer", "none.tsv"),
        case("places", "propose", "--topology", SMALL, "--gazetteer", "broken.tsv"),
        case("places", "propose", "--topology", SMALL, "--gazetteer", "broken.tsv", "--json"),
        case("places", "propose", "--topology", SMALL, "--gazetteer", "cities.tsv", "--country",
             "Norway"),
        case("places", "propose", "--topology", SMALL, "--gazetteer", "cities.tsv", "--country",
             "SE"),
        case("places", "propose", "--topology", SMALL, "--gazetteer", "cities.tsv", "--country",
             "XX"),
        case("places", "propose", "--topology", SMALL, "--gazetteer", "cities.tsv"),
        case("places", "propose", "--topology", SMALL, "--gazetteer", "cities.tsv", "--json"),
        case("places", "propose", "--topology", SMALL, replaced=INSTALLED)),
    "status": story(
        case("status", replaced=PROCESS), case("status", "now"),
        case("status", "--data", "elsewhere"),
        case("status", "--data", "elsewhere", "--json"), case("status", "--help"),
        case("checkpoint"), case("checkpoint", "--json"), case("checkpoint", "now"),
        case("verify"), case("verify", "--json"), case("verify", "--head", "x"),
        case("verify", "--key", "x"),
        case("verify", "--head", "1:" + "0" * 64), case("verify", "--data", "elsewhere"),
        case("verify", "all"),
        case("key"), case("key", "create"), case("key", "create"), case("key", "create", "now"),
        case("downgrade-check"), case("downgrade-check", "--json"), case("downgrade-check", "now")),
    "api": story(
        case("api"), case("api", "settings/IMPORT_ANSWER"),
        case("api", "settings/IMPORT_ANSWER", "--json"),
        case("api", "nothing"), case("api", "nothing", "--json"), case("api", "FETCH", "settings"),
        case("api", "POST", "origins", "--body", "{"),
        case("api", "origins", "--body", '{"name":"Maps","origin":"https://maps.example.org"}'),
        case("api", "PUT", "origins/1", "--body", "-", input='{"name":"Other"}'),
        case("api", "origins", "--all"),
        case("api", "DELETE", "origins/1"), case("api", "DELETE", "origins", "--all"),
        case("api", "a", "b", "c")),
    "backup": story(
        case("backup"), case("backup", "node.tar"), case("backup", "node.tar", "--json"),
        case("backup", "none/node.tar"),
        case("backup", "a", "b"), case("restore"), case("restore", "node.tar"),
        case("restore", "none.tar", "--into", "back"),
        case("restore", "map.xml", "--into", "back"), case("restore", "node.tar", "--into", "back"),
        case("restore", "node.tar", "--into", "back"),
        case("restore", "node.tar", "--into", "again", "--json"),
        case("restore", "node.tar", "--into", "keyed", "--key", "map.xml"),
        case("restore", "node.tar", "--into", "keyed", "--key", "-", input="no key"),
        case("restore", "node.tar", "--into", "keyed", "--head", "x"),
        case("archive"), case("archive", "netml-data/inside"), case("archive", "a", "b"),
        case("archive", "old", "--data", "elsewhere")),
    "cluster": story(
        case("cluster"), case("cluster", "init"), case("cluster", "refill"),
        case("cluster", "join", "--from", "beta"),
        case("cluster", "init", "--cluster", "nowhere"),
        case("cluster", "init", "--cluster", "postgresql://netml:secret@db/netml"),
        case("cluster", "init", "--cluster", "host=db password=secret"),
        case("cluster", "leave", "--cluster", "host=db"),
        case("cluster", "status"), case("cluster", "status", "--json"),
        case("cluster", "key", "export"), case("cluster", "key", "export", "members.key"),
        case("cluster", "key", "import", "members.key"),
        case("cluster", "key", "import", "map.xml"),
        case("cluster", "key", "import", "none.key"),
        case("serve", "--cluster", "host=db"),
        case("serve", "--cluster", "host=db", "--cluster-name", "a b", "--cluster-address", "x"),
        case("serve", "--cluster-name", "alpha")),
    "repair": story(
        case("repair"), case("repair", "--truncate-at", "many"),
        case("repair", "--truncate-at", "1"),
        case("repair", "--truncate-at", "1", "--i-accept-losing", "all"),
        case("repair", "--truncate-at", "1", "--json"),
        case("repair", "--truncate-at", "1", "--data", "elsewhere")),
}
