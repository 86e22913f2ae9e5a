"""Which sites, locations or devices do the circuits and cables of a NetBox join? By sets of ports,
from records of a dump, with no code of the program."""

CABLES_MAX = 100  # of a path
CIRCUIT = "circuits.circuittermination"
SITE, LOCATION, DEVICE = "dcim.site", "dcim.location", "dcim.device"


class Plant:
    def __init__(self, records, nodes=SITE):
        self.nodes = nodes
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

    def place_in(self, fields):
        """The model and the number of what is a node there."""
        location = self.table(LOCATION).get(fields.get("location"))
        site = fields.get("site") or (location or {}).get("site")
        if site not in self.table(SITE):
            return None
        if location and self.nodes == LOCATION:
            return LOCATION, fields["location"]
        return SITE, site

    def place_of(self, port):
        model, pk = port
        fields = self.table(model).get(pk, {})
        if model == CIRCUIT:
            return None if fields.get("provider_network") else self.place_in(fields)
        device = fields.get("device")
        place = self.place_in(self.table(DEVICE).get(device, {}))
        return (DEVICE, device) if place and self.nodes == DEVICE else place

    def place_of_all(self, ports):
        places = {self.place_of(port) for port in ports}
        return places.pop() if len(places) == 1 else None

    def name(self, place):
        model, pk = place
        return self.table(model)[pk]["name"] or f"{model.removeprefix('dcim.')} {pk}"

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

    def legs(self, ports):
        """From where to where, and the circuits on the way: of devices only a whole path."""
        legs = list(self.walk(ports))
        if self.nodes != DEVICE:
            yield from ((*leg, ()) for leg in legs)
        elif legs and next(iter(legs[-1][1]))[0] == "dcim.interface":
            ends = [self.table(CIRCUIT)[port[1]] for _, end in legs[:-1] for port in end]
            yield ports, legs[-1][1], [end["circuit"] for end in ends]

    def paths(self):
        """Pairs of places with the circuits on the way, one for each pair of ends."""
        found = {}
        for ports in self.ends.values():
            models = {model for model, _ in ports}
            at_circuit = models == {CIRCUIT} and len(ports) == 1 and self.nodes != DEVICE
            if models != {"dcim.interface"} and not at_circuit:
                continue
            for begin, end, circuits in self.legs(ports):
                places = self.place_of_all(begin), self.place_of_all(end)
                if None not in places and places[0] != places[1]:
                    found[frozenset([min(begin), min(end)])] = places, circuits
        return list(found.values())

    def circuits(self):
        """Pairs of places, and the circuit that joins them."""
        for circuit in self.table("circuits.circuit"):
            ends = self.sides.get(circuit, [])
            sides = sorted(self.table(CIRCUIT)[pk]["term_side"] for pk in ends)
            places = [self.place_of((CIRCUIT, pk)) for pk in ends]
            if sides == ["A", "Z"] and None not in places and places[0] != places[1]:
                yield places, [circuit]

    def links(self):
        """[name of a node, name of the other one, ids of circuits], in order."""
        found = self.paths() + ([] if self.nodes == DEVICE else list(self.circuits()))
        known = self.table("circuits.circuit")
        return sorted([*sorted(map(self.name, places)),
                       ",".join(sorted(known[each]["cid"] for each in circuits if each in known))]
                      for places, circuits in found)
