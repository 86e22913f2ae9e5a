"""Holds the checker of bench/cluster against histories: a sound one passes, and each way to break a
property is found by it."""

import copy
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench" / "cluster"))

import checker  # noqa: E402

GROUP = "urn:group"


def head(lsn):
    return f"{lsn}:{'%064x' % lsn}"


def transaction(lsn, nodes=(), cause="edit", file_hash=None):
    return {"lsn": lsn, "head": head(lsn), "committed": True, "cause": cause, "nodes": list(nodes),
            "request_id": f"request-{lsn}", "file_hash": file_hash, "created": len(nodes),
            "updated": 0, "deleted": 0}


def change(begin, **more):
    return {"kind": "write", "member": "alpha", "begin": begin, "end": begin + 1,
            "outcome": "done"} | more


def sound():
    """Two nodes and two generations of a group, one write refused, one unknown that came to be and
    one that did not, and reads of all kinds."""
    history = [
        change(0, node="n1", lsn=1, request_id="request-1"),
        change(2, kind="import", group=GROUP, generation="g1", file_hash="f1", lsn=2,
               request_id="request-2"),
        change(4, node="n2", lsn=3, request_id="request-3"),
        change(6, node="refused", outcome="refused"),
        change(7, node="came", outcome="unknown"),
        change(8, node="never", outcome="unknown"),
        change(10, kind="import", group=GROUP, generation="g2", file_hash="f2", lsn=5,
               request_id="request-5"),
        {"kind": "read", "member": "beta", "begin": 5, "end": 5.1, "outcome": "done",
         "head": head(3), "lsn": 3, "nodes": ["n1", "n2"], "groups": {GROUP: ["g1", "g1"]},
         "at_least": head(2), "fresh": True},
        {"kind": "export", "member": "beta", "begin": 12, "end": 13, "outcome": "done",
         "head": head(5), "digest": "d5", "at_least": None, "fresh": False},
        {"kind": "export", "member": "gamma", "begin": 12, "end": 13, "outcome": "done",
         "head": head(5), "digest": "d5", "at_least": None, "fresh": False},
        {"kind": "status", "member": "alpha", "begin": 1, "end": 1, "role": "leader", "epoch": 1,
         "run": "alpha-1"},
        {"kind": "status", "member": "beta", "begin": 9, "end": 9, "role": "leader", "epoch": 2,
         "run": "beta-1"},
        {"kind": "status", "member": "alpha", "begin": 3, "end": 3, "role": "leader", "epoch": 1,
         "run": "alpha-1"},
        {"kind": "poll", "member": "alpha", "begin": 2, "end": 2},
    ]
    chain = [transaction(1, ["n1"]), transaction(2, cause="import", file_hash="f1"),
             transaction(3, ["n2"]), transaction(4, ["came"]),
             transaction(5, cause="import", file_hash="f2")]
    member = {"chain": chain, "digest": "d5", "findings": [], "files_gone": 0}
    final = {"members": {name: copy.deepcopy(member) for name in ("alpha", "beta", "gamma")},
             "appends": [{"before": head(0), "after": head(3), "epoch": 1},
                         {"before": head(3), "after": head(5), "epoch": 2}],
             "polls": [{"time": "2026-01-01T00:01:00Z", "scheduled": True},
                       {"time": "2026-01-01T00:01:30Z", "scheduled": False}]}
    return history, final


def find(history, **wanted):
    return next(each for each in history if wanted.items() <= each.items())


def chains(final):
    return [member["chain"] for member in final["members"].values()]


class Checker(unittest.TestCase):
    def broken(self, spoil):
        """The properties that are broken once `spoil` has changed history and final."""
        history, final = sound()
        spoil(history, final)
        return {name for name, breaks in checker.check(history, final).items() if breaks}

    def assert_finds(self, name, spoil):
        self.assertIn(name, checker.PROPERTIES)
        self.assertIn(name, self.broken(spoil))

    def test_a_sound_history_passes(self):
        self.assertEqual(self.broken(lambda history, final: None), set())

    def test_a_lost_change_is_found(self):
        def spoil(_history, final):
            for chain in chains(final):
                chain[2]["nodes"] = []
        self.assert_finds("every 201 is there once", spoil)

    def test_a_doubled_change_is_found(self):
        def spoil(_history, final):
            for chain in chains(final):
                chain.append(transaction(6, ["n1"]))
        self.assert_finds("every 201 is there once", spoil)

    def test_a_doubled_import_is_found(self):
        def spoil(_history, final):
            for chain in chains(final):
                chain.append(transaction(6, cause="import", file_hash="f1"))
        self.assert_finds("every 201 is there once", spoil)

    def test_a_change_at_another_place_than_answered_is_found(self):
        def spoil(history, _final):
            find(history, node="n2")["lsn"] = 4
        self.assert_finds("every 201 is there once", spoil)

    def test_a_request_that_ran_twice_is_found(self):
        def spoil(_history, final):
            for chain in chains(final):
                chain.append(transaction(6) | {"request_id": "request-3"})
        self.assert_finds("every 201 is there once", spoil)

    def test_a_refused_change_that_is_there_is_found(self):
        def spoil(_history, final):
            for chain in chains(final):
                chain.append(transaction(6, ["refused"]))
        self.assert_finds("refused changes are absent", spoil)

    def test_an_unknown_change_that_happened_twice_is_found(self):
        def spoil(_history, final):
            for chain in chains(final):
                chain.append(transaction(6, ["came"]))
        self.assert_finds("unknown changes are decided once", spoil)

    def test_an_unknown_change_that_was_read_and_went_is_found(self):
        def spoil(history, _final):
            find(history, kind="read")["nodes"].append("never")
        self.assert_finds("unknown changes are decided once", spoil)

    def test_a_fork_is_found(self):
        def spoil(_history, final):
            final["members"]["beta"]["chain"][3]["head"] = "4:other"
        self.assert_finds("all members have the same", spoil)

    def test_a_member_that_stays_behind_is_found(self):
        def spoil(_history, final):
            final["members"]["gamma"]["chain"].pop()
        self.assert_finds("all members have the same", spoil)

    def test_a_member_with_other_content_is_found(self):
        def spoil(_history, final):
            final["members"]["gamma"]["digest"] = "other"
        self.assert_finds("all members have the same", spoil)

    def test_a_finding_of_verify_is_found(self):
        def spoil(_history, final):
            final["members"]["gamma"]["findings"].append("an upload is missing")
        self.assert_finds("all members have the same", spoil)

    def test_a_member_without_a_file_of_an_import_is_found(self):
        def spoil(_history, final):
            final["members"]["beta"]["files_gone"] = 1
        self.assert_finds("files of imports are kept", spoil)

    def test_different_exports_at_one_head_are_found(self):
        def spoil(history, _final):
            find(history, kind="export", member="gamma")["digest"] = "other"
        self.assert_finds("exports are equal at an LSN", spoil)

    def test_an_order_against_time_is_found(self):
        def spoil(history, _final):
            find(history, node="n1").update(begin=20, end=21)
        self.assert_finds("order is that of time", spoil)

    def test_an_order_against_time_of_an_unknown_change_is_found(self):
        def spoil(history, _final):
            find(history, node="came").update(begin=20, end=21)
        self.assert_finds("order is that of time", spoil)

    def test_changes_at_the_same_time_have_any_order(self):
        def spoil(history, _final):
            find(history, node="n1").update(begin=0, end=9)
            find(history, node="n2").update(begin=0, end=9)
        self.assertNotIn("order is that of time", self.broken(spoil))

    def test_an_ignored_token_is_found(self):
        def spoil(history, _final):
            find(history, kind="read")["at_least"] = head(4)
        self.assert_finds("tokens are respected", spoil)

    def test_a_token_of_another_history_that_was_answered_is_found(self):
        def spoil(history, _final):
            find(history, kind="read")["at_least"] = "2:other"
        self.assert_finds("tokens are respected", spoil)

    def test_a_stale_read_that_should_be_fresh_is_found(self):
        def spoil(history, _final):
            find(history, kind="read").update(begin=12, end=13)
        self.assert_finds("fresh reads are fresh", spoil)

    def test_a_mixture_in_a_group_is_found(self):
        def spoil(history, _final):
            find(history, kind="read")["groups"][GROUP] = ["g1", "g2"]
        self.assert_finds("reads are a prefix", spoil)

    def test_a_read_that_lacks_something_is_found(self):
        def spoil(history, _final):
            find(history, kind="read")["nodes"] = ["n2"]
        self.assert_finds("reads are a prefix", spoil)

    def test_a_read_that_lacks_a_group_is_found(self):
        def spoil(history, _final):
            find(history, kind="read")["groups"] = {}
        self.assert_finds("reads are a prefix", spoil)

    def test_a_read_with_a_head_of_no_member_is_found(self):
        def spoil(history, _final):
            find(history, kind="read")["head"] = "3:other"
        self.assert_finds("reads are a prefix", spoil)

    def test_two_leaders_in_an_epoch_are_found(self):
        def spoil(history, _final):
            find(history, kind="status", member="beta")["epoch"] = 1
        self.assert_finds("one leader in an epoch", spoil)

    def test_an_append_of_an_old_epoch_is_found(self):
        def spoil(_history, final):
            final["appends"].append({"before": head(5), "after": head(6), "epoch": 1})
        self.assert_finds("one leader in an epoch", spoil)

    def test_an_append_behind_another_head_is_found(self):
        def spoil(_history, final):
            final["appends"][1]["before"] = "3:other"
        self.assert_finds("one leader in an epoch", spoil)

    def test_a_poll_that_ran_twice_is_found(self):
        def spoil(_history, final):
            final["polls"][1]["scheduled"] = True
        self.assert_finds("polls run once", spoil)

    def test_a_poll_of_a_follower_is_found(self):
        def spoil(history, _final):
            for status in history:
                if status["kind"] == "status":
                    status["role"] = "follower"
        self.assert_finds("only leaders poll", spoil)


if __name__ == "__main__":
    unittest.main()
