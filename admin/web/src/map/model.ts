// Everything that a map on a page knows: data, filters, the point that is shown, what is selected
// and what is assumed to have failed. Components show it and call its methods; the canvas is
// painted from `scene`. A page may hold several.
import { batch, computed, effect, signal } from '@preact/signals';
import type { MapDifference, PlannedMap, PointInTime, Simulation } from '../../generated/api.ts';
import type { Failed } from './address.ts';
import { textAt, type Columns } from './columns.ts';
import { changesOfDifference, changesOfPlan, onlyChanges, withMoves, type ChangeKind, type MapChanges } from './changes.ts';
import { MapClient, MapError, namesMissing, type Ahead, type Details } from './client.ts';
import {
  countsOf, groupingOf, onlyGroups, usualGrouping, type GroupBy, type Grouping,
} from './grouping.ts';
import { inactiveLinks, maskOf, networkOf, withGone, type Filter, type Mask, type Network } from './network.ts';
import type { Scene } from './drawing.ts';
import { styledByRoutes, type Route } from './routes.ts';
import type { Arrange } from './schematic/arranger.ts';
import { Schematic } from './schematic/schematic.ts';
import { styledByChange, styledByFailure, styledByGroup, type Colours, type Styled } from './styles.ts';

export type Kind = 'nodes' | 'links' | 'institutions';
export interface Selection {
  kind: Kind;
  number: number;
}
export type Panel = 'search' | 'owners' | 'rens' | 'filter' | 'list' | 'time' | 'failure';

export interface MapOptions {
  endpoint: string;
  colours?: Colours; // of tags; where they are given elements are coloured by them at first
  ahead?: Ahead | null; // the first map, where it is on its way already
  arrange?: Arrange; // makes the layout of the schematic view; none: there is no such view
  now?: () => number; // milliseconds; of links that begin or end
  allowedNodeTags?: string[] | null;
  allowedLinkTags?: string[] | null;
}

const noFilter: Filter = { nodeTags: new Set(), linkTags: new Set(), topology: null, groups: new Set() };

const paintedWithin = 5000; // milliseconds

export class MapModel {
  readonly client: MapClient;
  readonly options: MapOptions;

  readonly dark = signal(false);
  readonly columns = signal<Columns | null>(null);
  readonly withTexts = signal<Columns | null>(null); // the same, once names and identifiers are there
  readonly isPainted = signal(false); // any map
  readonly problem = signal<MapError | null>(null);
  readonly busy = signal(false);
  readonly filter = signal<Filter>(noFilter);
  readonly panel = signal<Panel | null>(null);
  readonly chosenGrouping = signal<GroupBy | null>(null); // null: the usual one of this map
  readonly emphasised = signal<number | null>(null); // the place of a group that the reader points at in the legend
  readonly groupsInView = signal<ReadonlySet<number>>(new Set());

  readonly selection = signal<Selection | null>(null);
  readonly details = signal<Details | null>(null);

  readonly points = signal<PointInTime[]>([]);
  readonly point = signal<number | null>(null); // place in points; null: now, -1: before them all
  readonly named = signal<string | null>(null); // the point in time that the address of the page names
  readonly base = signal<number | null>(null); // the point compared with
  readonly difference = signal<MapDifference | null>(null);
  readonly planned = signal<{ map: PlannedMap; before: Columns } | null>(null); // a change over the map that is shown
  readonly changeKinds = signal<ReadonlySet<ChangeKind>>(new Set()); // that are shown; none: all
  readonly playing = signal(false);

  readonly failed = signal<Failed>({ nodes: [], links: [] });
  readonly outcome = signal<Simulation | null>(null);

  readonly routes = signal<Route[]>([]); // independent ones, which are compared
  readonly chosenRoutes = signal<ReadonlySet<number>>(new Set()); // places of those that are shown; none: all

  private readonly current = computed<Network | null>(() =>
    (this.columns.value ? networkOf(this.columns.value) : null));

  // What differs from the map: all of it, and what the reader wants to see of that.
  readonly allChanges = computed<MapChanges | null>(() => {
    if (this.planned.value) return changesOfPlan(this.planned.value.map, this.planned.value.before);
    return this.difference.value && changesOfDifference(this.difference.value);
  });
  private readonly changes = computed<MapChanges | null>(() => this.allChanges.value && onlyChanges(this.allChanges.value, this.changeKinds.value));

  private readonly geographic = computed<Network | null>(() => {
    const { value: network } = this.current;
    const { value: changes } = this.changes;
    return network && changes ? withGone(network, changes.lacking) : network;
  });

  readonly schematic: Schematic;
  readonly network = computed<Network | null>(() => this.schematic.network.value);

  readonly groupBy = computed<GroupBy>(() => {
    if (this.chosenGrouping.value) return this.chosenGrouping.value;
    return this.geographic.value && !this.options.colours ? usualGrouping(this.geographic.value) : 'tag';
  });

  // By places on the globe in the schematic view, too: the colours stay.
  readonly grouping = computed<Grouping | null>(() =>
    (this.geographic.value ? groupingOf(this.geographic.value, this.groupBy.value, this.options.colours) : null));

  // By tags and topology: what the legend counts.
  private readonly wideMask = computed<Mask | null>(() =>
    (this.network.value ? maskOf(this.network.value, this.filter.value) : null));

  readonly groupCounts = computed(() =>
    (this.wideMask.value && this.grouping.value ? countsOf(this.wideMask.value, this.grouping.value) : []));

  readonly mask = computed<Mask | null>(() =>
    (this.wideMask.value && this.grouping.value ? onlyGroups(this.wideMask.value, this.grouping.value, this.filter.value.groups) : null));

  // What colours tell of a few elements, instead of what belongs to whom.
  readonly about = computed<'changes' | 'failure' | 'routes' | null>(() => {
    if (this.allChanges.value) return 'changes';
    if (this.panel.value === 'failure') return 'failure';
    return this.routes.value.length > 0 ? 'routes' : null;
  });

  readonly scene = computed<Scene | null>(() => {
    const { value: network } = this.network;
    const { value: mask } = this.mask;
    if (!network || !mask) return null;
    return { network, mask, styled: this.styled(network), grouping: this.about.value ? null : this.grouping.value };
  });

  private readonly stops: (() => void)[] = [];
  private asked = 0;
  private maps = 0; // that were asked for
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: MapOptions) {
    this.options = options;
    this.client = new MapClient(options.endpoint, options.ahead);
    this.schematic = new Schematic(this.geographic, options.arrange ?? null);
    this.stops.push(effect(() => this.fetchTexts(this.columns.value, this.isPainted.value)));
    this.stops.push(effect(() => this.follow(this.selection.value)));
    this.stops.push(effect(() => this.play(this.playing.value)));
  }

  dispose(): void {
    this.stops.forEach((stop) => stop());
    this.schematic.dispose();
    clearInterval(this.timer);
  }

  private styled(network: Network): Styled {
    const { value: dark } = this.dark;
    if (this.changes.value) return styledByChange(network, this.changes.value, dark);
    if (this.about.value === 'routes') return styledByRoutes(network, this.routes.value, this.chosenRoutes.value, dark);
    if (this.about.value === 'failure') {
      const { value: outcome } = this.outcome;
      return styledByFailure(network, {
        failed: this.failed.value,
        cutOff: outcome?.cut_off.nodes ?? [],
        single: outcome?.newly_single_path ?? { nodes: [], links: [] },
      }, dark);
    }
    return styledByGroup(network, this.grouping.value!, inactiveLinks(network, this.time), dark);
  }

  // The point as the server wants it: an LSN, what the address names, or nothing for now.
  get at(): string | null {
    if (this.named.value !== null) return this.named.value;
    const { value: place } = this.point;
    return place === null ? null : String(this.points.value[place]?.lsn ?? '');
  }

  // The LSN of the map that the shown one is compared with.
  get since(): number | null {
    const { value: place } = this.base;
    return place === null ? null : (this.points.value[place]?.lsn ?? null);
  }

  private get time(): number {
    const { value: columns } = this.columns;
    return this.at === null || !columns ? (this.options.now ?? Date.now)() : Date.parse(columns.time);
  }

  async load(): Promise<void> {
    const isWanted = this.wantMap();
    await this.run(async () => {
      const columns = await this.client.map(this.at);
      if (isWanted()) this.columns.value = columns;
    }, isWanted);
  }

  get hasTexts(): boolean {
    return this.withTexts.value === this.columns.value;
  }

  // When the first picture has been painted. Those of a map that is no longer shown are fetched, too: half an
  // answer would hold up its connection.
  private fetchTexts(columns: Columns | null, isPainted: boolean): (() => void) | undefined {
    if (!columns) return undefined;
    const fetch = () => void columns.texts().then(() => { if (columns === this.columns.peek()) this.withTexts.value = columns; },
      () => { if (columns === this.columns.peek()) this.problem.value = namesMissing(); });
    if (isPainted) {
      fetch();
      return undefined;
    }
    // A page that nobody looks at paints nothing, and the server waits for no reader for long.
    const timer = setTimeout(fetch, paintedWithin);
    return () => {
      clearTimeout(timer);
      fetch();
    };
  }

  // A change that is not done yet, over the map that it would change.
  async showPlanned(load: () => Promise<PlannedMap>): Promise<void> {
    const isWanted = this.wantMap();
    await this.run(async () => {
      const map = await load();
      const before = await this.client.map(String(map.lsn));
      await before.texts(); // rows are added
      if (!isWanted()) return;
      batch(() => {
        this.columns.value = withMoves(before, map);
        this.planned.value = { map, before };
      });
    }, isWanted);
  }

  toggleChanges(kind: ChangeKind): void {
    const kinds = new Set(this.changeKinds.value);
    if (!kinds.delete(kind)) kinds.add(kind);
    this.changeKinds.value = kinds;
  }

  showRoutes(routes: Route[]): void {
    batch(() => {
      this.routes.value = routes;
      this.chosenRoutes.value = new Set();
    });
  }

  // Shows one route alone, or beside others that were chosen; once more, and it is as the others.
  toggleRoute(place: number): void {
    const chosen = new Set(this.chosenRoutes.value);
    if (!chosen.delete(place)) chosen.add(place);
    this.chosenRoutes.value = chosen;
  }

  // The map at any point in time that the server knows: an LSN, a time, a day, import:NUMBER. What it
  // does not know is a problem, and no map is shown.
  async showAt(when: string): Promise<void> {
    this.named.value = when;
    const isWanted = this.wantMap();
    await this.run(async () => {
      const [columns, points, last] = await Promise.all([
        this.client.map(when), this.client.points(), this.client.lastPoint(when),
      ]);
      if (!isWanted()) return;
      batch(() => {
        this.panel.value = 'time';
        this.points.value = points;
        this.point.value = last === null ? -1 : points.findLastIndex(({ lsn }) => lsn <= last.lsn);
        this.columns.value = columns;
      });
    }, isWanted);
  }

  async showNow(): Promise<void> {
    this.named.value = null;
    await this.load();
  }

  // Whether no other map has been asked for since: the answers of those before it come too late.
  private wantMap(): () => boolean {
    this.maps += 1;
    const mine = this.maps;
    return () => mine === this.maps;
  }

  private async run(work: () => Promise<void>, isWanted = () => true): Promise<void> {
    this.asked += 1;
    const mine = this.asked;
    this.busy.value = true;
    try {
      await work();
      if (isWanted()) this.problem.value = null;
    } catch (error) {
      if (isWanted()) this.problem.value = error instanceof MapError ? error : new MapError(0, 'unknown', String(error));
    } finally {
      if (mine === this.asked) this.busy.value = false;
    }
  }

  select(selection: Selection | null): void {
    const same = selection?.kind === this.selection.value?.kind
      && selection?.number === this.selection.value?.number;
    this.selection.value = same ? null : selection;
  }

  private follow(selection: Selection | null): void {
    this.details.value = null;
    if (!selection) return;
    const { at } = this;
    const isWanted = () => this.selection.peek() === selection && this.at === at;
    void this.client.details(selection.kind, selection.number, at).then((details) => {
      if (isWanted()) this.details.value = details;
    }, () => { if (isWanted()) this.selection.value = null; });
  }

  // What a click on the map does: select, or in the what-if panel mark as failed.
  pick(kind: 'nodes' | 'links', number: number): void {
    if (number === 0) return;
    if (this.panel.value === 'failure') void this.toggleFailed(kind, number);
    else this.select({ kind, number });
  }

  openPanel(panel: Panel | null): void {
    batch(() => {
      const leaving = this.panel.value;
      this.panel.value = panel === leaving ? null : panel;
      if (leaving === 'time' && this.panel.value !== 'time') this.leaveTime();
      if (leaving === 'failure' && this.panel.value !== 'failure') this.repairAll();
    });
    if (this.panel.value === 'time') void this.loadPoints();
  }

  async loadPoints(): Promise<void> {
    await this.run(async () => { this.points.value = await this.client.points(); });
  }

  private leaveTime(): void {
    this.playing.value = false;
    this.base.value = null;
    this.difference.value = null;
    this.changeKinds.value = new Set();
    if (this.at === null) return;
    this.point.value = null;
    void this.showNow();
  }

  async goTo(place: number | null): Promise<void> {
    const last = this.points.value.length - 1;
    const wanted = place === null || place >= last ? null : Math.max(0, place);
    if (wanted === this.point.value && this.columns.value) return;
    this.named.value = null;
    this.point.value = wanted;
    await this.show();
  }

  async compareWith(place: number | null): Promise<void> {
    this.base.value = place;
    await this.show();
  }

  // What differs from the map as it was at that LSN, in the panel that tells; nothing where nothing does.
  async compareSince(lsn: number): Promise<void> {
    const { value: panel } = this.panel;
    await this.loadPoints();
    if (panel !== this.panel.value) return; // somebody wants something else by now
    const base = this.points.value.findLastIndex((point) => point.lsn <= lsn);
    if (base < 0 || base === this.points.value.length - 1) return;
    this.panel.value = 'time';
    await this.compareWith(base);
  }

  // Map and difference arrive together, so that colours never belong to another point.
  private async show(): Promise<void> {
    const { at } = this;
    const { value: base } = this.base;
    const from = base === null ? undefined : this.points.value[base]?.lsn;
    const to = this.points.value[this.point.value ?? this.points.value.length - 1]?.lsn;
    const isWanted = this.wantMap();
    await this.run(async () => {
      const [columns, difference] = await Promise.all([
        this.client.map(at),
        from === undefined || to === undefined || from === to ? null : this.client.difference(from, to),
      ]);
      if (difference || !isWanted()) await columns.texts(); // rows are added
      if (!isWanted()) return;
      batch(() => {
        this.columns.value = columns;
        this.difference.value = base === this.base.value ? difference : null; // the comparison may have ended
      });
    }, isWanted);
  }

  private play(playing: boolean): void {
    clearInterval(this.timer);
    if (!playing) return;
    if (this.point.peek() === null) void this.goTo(0);
    this.timer = setInterval(() => {
      if (this.busy.peek()) return; // the server is slower than the clock
      const place = this.point.peek();
      if (place === null) this.playing.value = false;
      else void this.goTo(place + 1);
    }, 900);
  }

  // Shows what would come of it, in the panel that tells.
  async fail(failed: Failed): Promise<void> {
    if (this.panel.value !== 'failure') this.openPanel('failure');
    this.failed.value = failed;
    await this.simulate();
  }

  async toggleFailed(kind: 'nodes' | 'links', number: number): Promise<void> {
    const had = this.failed.value[kind];
    const next = had.includes(number) ? had.filter((other) => other !== number) : [...had, number];
    this.failed.value = { ...this.failed.value, [kind]: next };
    await this.simulate();
  }

  // Of what the filter lets through, which is what the page is about.
  private async simulate(): Promise<void> {
    const { value: failed } = this.failed;
    const { value: filter } = this.filter;
    if (failed.nodes.length + failed.links.length === 0) {
      this.outcome.value = null;
      return;
    }
    await this.run(async () => {
      const outcome = await this.client.whatIf(failed, filter.topology, this.at);
      if (this.failed.peek() === failed && this.filter.peek() === filter) this.outcome.value = outcome;
    });
  }

  repairAll(): void {
    this.failed.value = { nodes: [], links: [] };
    this.outcome.value = null;
  }

  setFilter(part: Partial<Filter>): void {
    this.filter.value = { ...this.filter.value, ...part };
    void this.simulate();
  }

  // Shows one group alone, or beside others that were chosen; once more, and it is as the others.
  toggleGroup(key: string): void {
    const groups = new Set(this.filter.value.groups);
    if (!groups.delete(key)) groups.add(key);
    this.filter.value = { ...this.filter.value, groups };
  }

  setGroupBy(by: GroupBy): void {
    batch(() => {
      this.chosenGrouping.value = by;
      this.emphasised.value = null;
      this.filter.value = { ...this.filter.value, groups: new Set() };
    });
  }

  clearFilter(): void {
    this.filter.value = noFilter;
    void this.simulate();
  }

  nameOf(kind: Kind, number: number): string {
    const { value: network } = this.network;
    if (!network || !this.hasTexts) return `#${number}`;
    const placeOf = { nodes: network.nodeAt, links: network.linkAt, institutions: network.institutionAt }[kind];
    const place = placeOf(number);
    if (place === undefined) return `#${number}`;
    return kind === 'institutions' ? network.columns.institutions.name[place]! : textAt(network.columns[kind].name, place);
  }
}
