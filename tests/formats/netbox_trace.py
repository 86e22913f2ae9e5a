"""Which sites do the circuits and cables of a NetBox join? By sets of ports, from records of a
dump, with no code of the program."""

CABLES_MAX = 100  # of a path
CIRCUIT = "circuits.circuittermination"


class Plant:
    def __init__(self, records):
        self.tables = {}
        for record in records:
            if "pk" in record:
                self.tables.setdefault(record["model"], {})[record["pk"]] = record["fields"]
        self.ends = {}  # ports by cable and side
        self.at = {}    # cables and sides by port
        for fields in self.table("dcim.cabletermination").values():
            port = ".".join(fields["termination_type"]), fields["termination_id"]
            end = fields["cable"], fields["cable_end"]
            self.ends.setdefault(end, set()).add(port)
            self.at.setdefault(port, set()).add(end)
        self.fronts = {}
        for pk, fields in self.table("dcim.frontport").items():
            place = fields["rear_port"], fields["rear_port_position"]
            self.fronts.setdefault(place, []).append(pk)
        self.sides = {}
        for pk, fields in self.table(CIRCUIT).items():
            self.sides.setdefault(fields["circuit"], []).append(pk)

    def table(self, model):
        return self.tables.get(model, {})

    def site_of(self, port):
        model, pk = port
        fields = self.table(model).get(pk, {})
        if model != CIRCUIT:
            fields = self.table("dcim.device").get(fields.get("device"), {})
        site = fields.get("site")
        return site if site in self.table("dcim.site") else None

    def site_of_all(self, ports):
        sites = {self.site_of(port) for port in ports}
        return sites.pop() if len(sites) == 1 else None

    # ---- one step each; None where it is not certain ----

    def across(self, ports):
        ends = {end for port in ports for end in self.at.get(port, ())}
        if len(ends) != 1 or any(len(self.at.get(port, ())) != 1 for port in ports):
            return None
        (cable, side), = ends
        far = self.ends.get((cable, "B" if side == "A" else "A"), set())
        sound = (self.ends[cable, side] == set(ports) and len({model for model, _ in far}) == 1
                 and all(len(self.at[port]) == 1 for port in far))
        return far if sound else None

    def to_rear(self, ports, positions):
        entered, rears = [], set()
        for _, pk in ports:
            front = self.table("dcim.frontport").get(pk)
            rear = front and self.table("dcim.rearport").get(front["rear_port"])
            if not rear or self.fronts[front["rear_port"], front["rear_port_position"]] != [pk] \
                    or front["rear_port_position"] > rear["positions"]:
                return None
            rears.add(("dcim.rearport", front["rear_port"]))
            if rear["positions"] > 1:
                entered.append(front["rear_port_position"])
        if entered:
            if len(rears) > 1:
                return None
            positions.append(entered)
        return rears

    def to_front(self, ports, positions):
        fronts = set()
        for _, pk in ports:
            rear = self.table("dcim.rearport").get(pk)
            if not rear:
                return None
            wanted = [1]
            if rear["positions"] > 1:
                if len(ports) > 1 or not positions:
                    return None
                wanted = positions.pop()
            for position in wanted:
                found = self.fronts.get((pk, position), [])
                if len(found) != 1:
                    return None
                fronts.add(("dcim.frontport", found[0]))
        return fronts

    def other_end(self, port):
        here = self.table(CIRCUIT).get(port[1])
        others = [pk for pk in self.sides.get(here["circuit"], []) if pk != port[1]] if here else []
        if len(others) != 1:
            return None
        there = self.table(CIRCUIT)[others[0]]
        if there["term_side"] == here["term_side"] or there["provider_network"]:
            return None
        return {(CIRCUIT, others[0])}

    def walk(self, ports):
        """From where to where paths are whole, between interfaces and ends of circuits."""
        positions, begin = [], ports
        for _ in range(CABLES_MAX):
            ports = self.across(ports)
            if ports is None:
                return
            model = next(iter(ports))[0]
            if model == "dcim.frontport":
                ports = self.to_rear(ports, positions)
            elif model == "dcim.rearport":
                ports = self.to_front(ports, positions)
            elif model == CIRCUIT and len(ports) == 1:
                yield begin, ports
                begin = ports = self.other_end(*ports)
            else:
                if model == "dcim.interface" and not positions:
                    yield begin, ports
                return
            if ports is None:
                return

    # ---- all of it ----

    def paths(self):
        """Pairs of sites, one for each pair of ends."""
        found = {}
        for ports in self.ends.values():
            models = {model for model, _ in ports}
            if models != {"dcim.interface"} and (models != {CIRCUIT} or len(ports) > 1):
                continue
            for begin, end in self.walk(ports):
                sites = self.site_of_all(begin), self.site_of_all(end)
                if None not in sites and sites[0] != sites[1]:
                    found[frozenset([min(begin), min(end)])] = sites
        return list(found.values())

    def circuits(self):
        """Pairs of sites, and the circuit that joins them."""
        for circuit, fields in self.table("circuits.circuit").items():
            sides = [self.table(CIRCUIT)[pk] for pk in self.sides.get(circuit, [])]
            if sorted(side["term_side"] for side in sides) != ["A", "Z"]:
                continue
            sites = [side["site"] for side in sides]
            if sites[0] != sites[1] and all(site in self.table("dcim.site") for site in sites):
                yield sites, fields["cid"]

    def links(self):
        """[name of a site, name of the other one, circuit id or nothing], in order."""
        def named(sites, cid):
            return [*sorted(self.table("dcim.site")[site]["name"] for site in sites), cid]
        return sorted([named(sites, cid) for sites, cid in self.circuits()]
                      + [named(sites, "") for sites in self.paths()])
