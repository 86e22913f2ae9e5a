"""A NetBox made from a seed, as records of a dump: sites, devices, panels, trunks, circuits, and
some of what goes wrong in real ones.

Everything but names and numbers of what leads where is left out; each record has a text that must
stay in NetBox (CANARY).
"""

import random

CANARY = "stays-in-netbox"
INTERFACES = 50  # of a device


class Made:
    def __init__(self, seed, devices, cables=None):
        self.random = random.Random(seed)
        self.devices = devices
        self.sites = max(4, devices // 50)
        self.tables = {}
        self.interface = [0] * (devices + 1)  # the last one in use, by device
        cables = 5 * devices if cables is None else cables
        self.add_sites()
        steps = [self.direct, self.direct, self.trunks, self.trunks, self.circuit, self.odd]
        while len(self.tables.get("dcim.cable", ())) < cables:
            self.random.choice(steps)()

    def records(self):
        return [{"model": model, "pk": pk, "fields": fields}
                for model, table in self.tables.items() for pk, fields in table.items()]

    def add(self, model, **fields):
        table = self.tables.setdefault(model, {})
        pk = len(table) + 1
        day = 1 + pk % 28
        table[pk] = fields | {"description": CANARY, "last_updated": f"2024-01-{day:02}T00:00:00Z"}
        return pk

    def add_sites(self):
        for number in range(1, 6):
            self.add("tenancy.tenant", name=f"Tenant {number}", slug=f"tenant-{number}")
            self.add("circuits.provider", name=f"Provider {number}", slug=f"provider-{number}")
        for number in range(1, 4):
            self.add("dcim.region", name=f"Region {number}", slug=f"region-{number}",
                     parent=number - 1 or None)
        for number in range(1, self.sites + 1):
            self.add("dcim.site", name=f"Site {number}", slug=f"site-{number}", status="active",
                     region=number % 4 or None, tenant=self.random.choice([None, 1, 2, 3]),
                     latitude=None, longitude=None)
            self.add("dcim.location", site=number, name=f"Room {number}", tenant=None)
        for number in range(1, self.devices + 1):
            site = 1 + number % self.sites
            # Locations have the numbers of their sites.
            self.add("dcim.device", site=site, location=None if number % 3 else site,
                     name=f"Device {number}" if number % 5 else None, tenant=None, serial=CANARY)
            for port in range(INTERFACES):
                self.add("dcim.interface", device=number, name=f"{CANARY}-{port}")

    # ---- what is cabled ----

    def any_site(self):
        return self.random.randint(1, self.sites)

    def new_interface(self, site=None):
        """At a site: devices go round the sites by their number."""
        site = site or self.any_site()
        first = site - 1 or self.sites
        device = self.random.choice(range(first, self.devices + 1, self.sites) or [1])
        self.interface[device] += 1
        if self.interface[device] <= INTERFACES:
            return "dcim.interface", (device - 1) * INTERFACES + self.interface[device]
        return "dcim.interface", self.add("dcim.interface", device=device, name=CANARY)

    def cable(self, a, b):
        cable = self.add("dcim.cable", label=CANARY, status="connected")
        for side, ports in (("A", a), ("B", b)):
            for model, pk in ports:
                self.add("dcim.cabletermination", cable=cable, cable_end=side,
                         termination_type=model.split("."), termination_id=pk)

    def panel(self, site, positions):
        device = self.add("dcim.device", site=site, location=None, name=CANARY)
        rear = self.add("dcim.rearport", device=device, positions=positions, name=CANARY)
        fronts = [("dcim.frontport", self.add("dcim.frontport", device=device, rear_port=rear,
                                              rear_port_position=position, name=CANARY))
                  for position in range(1, positions + 1)]
        return ("dcim.rearport", rear), fronts

    def direct(self):
        site = self.any_site()
        other = self.any_site() if self.random.random() < 0.1 else site
        several = self.random.random() < 0.1
        far = [self.new_interface(other) for _ in range(1 + several)]
        self.cable([self.new_interface(site)], far)

    def trunks(self):
        """One to three trunks one behind the other, with some of their positions in use."""
        positions = self.random.choice([1, 1, 2, 6, 12])
        used = self.random.sample(range(positions), self.random.randint(1, positions))
        site = self.any_site()
        ends = [self.new_interface(site) for _ in used]
        for _ in range(self.random.randint(1, 3)):
            near, fronts = self.panel(site, positions)
            site = self.any_site()
            far, backs = self.panel(site, positions)
            order = self.random.sample(used, len(used))
            for end, position in zip(ends, order):
                self.cable([end], [fronts[position]])
            self.cable([near], [far])
            ends = [backs[position] for position in order]
        for end in ends:
            self.cable([end], [self.new_interface(site)])

    def circuit(self):
        status = self.random.choice(["active", "planned"])
        circuit = self.add("circuits.circuit", cid=f"C-{self.random.randint(1, 10**9)}",
                           provider=self.random.randint(1, 5), status=status,
                           tenant=self.random.choice([None, 1, 4]),
                           commit_rate=self.random.choice([None, 1000, 10**6]))
        for side in "AZ":
            chance = self.random.random()
            if chance < 0.1:
                continue
            site = None if chance < 0.2 else self.any_site()
            network = 1 if site is None else None
            end = "circuits.circuittermination", self.add(
                "circuits.circuittermination", circuit=circuit, term_side=side, site=site,
                provider_network=network, xconnect_id=CANARY)
            if site is not None and self.random.random() < 0.8:
                elsewhere = self.random.random() < 0.1
                self.cable([self.new_interface(None if elsewhere else site)], [end])

    def odd(self):
        """A cable with one end, a panel that leads nowhere, a loop, a rear port that splits."""
        kind = self.random.randrange(5)
        if kind == 0:
            self.cable([self.new_interface()], [])
            return
        rear, fronts = self.panel(self.any_site(), 2)
        if kind == 4:
            self.cable([self.new_interface()], [rear])
            self.cable([fronts[0]], [self.new_interface()])
            return
        self.cable([self.new_interface()], [fronts[0]])
        if kind == 2:
            self.cable([rear], [fronts[1]])
        if kind == 3:
            self.cable([rear], [self.new_interface()])
