#!/usr/bin/env python3
"""What graphql-core (Debian: python3-graphql-core) makes of a node's GraphQL.

Usage: graphql_core.py URL SCHEMA     (the endpoint; the file that the schema must be the same as)

Asks for the description of the schema in every form the library knows, builds the schema from the
answer, compares its types as text, and prints the answers to the queries of graphql_clients.txt,
which the library checks against that schema. Ends with 77 where the library is not installed.
"""

import difflib
import json
import sys
import urllib.request
from pathlib import Path

try:
    import graphql
except ImportError:
    print("graphql-core is not installed; ./test --all installs it", file=sys.stderr)
    sys.exit(77)

QUERIES = Path(__file__).with_name("graphql_clients.txt")


def library():
    """The queries that describe a schema, what builds one of the answer, what prints types."""
    if graphql.__version__.startswith("2."):  # Debian 12
        from graphql.utils.build_client_schema import build_client_schema
        from graphql.utils.introspection_query import introspection_query
        from graphql.utils.schema_printer import print_schema

        # The types follow what is said of the schema itself.
        return ([introspection_query], build_client_schema,
                lambda schema: print_schema(schema).split("\n\n", 1)[1].rstrip())

    def print_types(schema):
        own = [each for _, each in sorted(schema.type_map.items())
               if not graphql.is_specified_scalar_type(each)
               and not graphql.is_introspection_type(each)]
        return "\n\n".join(map(graphql.print_type, own))

    forms = [{"descriptions": False}, {},
             {"specified_by_url": True, "directive_is_repeatable": True,
              "schema_description": True, "input_value_deprecation": True}]
    return ([graphql.get_introspection_query(**form) for form in forms],
            graphql.build_client_schema, print_types)


def ask(url, query):
    body = json.dumps({"query": query}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)["data"]


def main(url, schema_path):
    expected = Path(schema_path).read_text()
    descriptions, build_schema, print_types = library()
    for description in descriptions:
        schema = build_schema(ask(url, description))
        text = print_types(schema) + "\n"
        if text != expected:
            difference = difflib.unified_diff(expected.splitlines(), text.splitlines(),
                                              "expected", "got", lineterm="")
            print(*difference, sep="\n", file=sys.stderr)
            return 1
    for query in QUERIES.read_text().splitlines():
        if errors := graphql.validate(schema, graphql.parse(query)):
            raise ValueError(errors)
        print(json.dumps(ask(url, query)))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
