// The map on the screen: Leaflet with three canvases, one above the other: the world, the network,
// and what is hovered or selected. It reads the model and tells it what was clicked.
import { effect } from '@preact/signals';
import L from 'leaflet';
import { t } from '../i18n/index.ts';
import { CanvasLayer } from './canvas_layer.ts';
import { listAt } from './columns.ts';
import { paintHighlight, type View } from './drawing.ts';
import { legendLines } from './legend.tsx';
import type { MapModel, Selection } from './model.ts';
import type { Label } from './names.ts';
import type { Painter } from './painter.ts';
import { paintAttribution, paintLegend, paintScale } from './picture.ts';
import { followSchematic } from './schematic/view.ts';
import { PageBrush } from './painting/page_brush.ts';
import { Painting } from './painting/painting.ts';
import { finerFrom, type Looks, type Painted, type WorldScale } from './painting/studio.ts';
import { SvgPainter } from './svg_painter.ts';
import { hitOf, type Hit } from './targets.ts';
import { isSame, tipOf } from './tip.ts';
import { finish, type Work } from './work.ts';
import type { World } from './world.ts';

export interface ElementLook {
  colour: string;
  size: number;
}
export interface ChartOptions {
  center: [number, number] | null;
  zoom: number | null;
  mapOptions?: L.MapOptions;
  tiles?: { url: string; options?: L.TileLayerOptions } | null;
  loadWorld: (scale: WorldScale) => Promise<World>;
  newWorker?: () => Worker; // runs painting/worker.ts; none: the page paints by itself
  highlight?: { node: ElementLook; link: ElementLook };
  selected?: { node: ElementLook; link: ElementLook };
}

const defaultView = { center: [20, 0] as [number, number], zoom: 3 };
export const attribution = 'Natural Earth'; // who made the base map
const pictureScale = 2;
const nearest = 18; // zoom level
const onePlace = 2 / (256 * 2 ** nearest); // of the width of the world: two pixels there
const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches; // no animation then
const hovered = { node: { colour: '#d97b41', size: 10 }, link: { colour: '#d97b41', size: 4 } };
const chosen = { node: { colour: '#d94141', size: 8 }, link: { colour: '#d94141', size: 3 } };

export class Chart {
  readonly map: L.Map;
  private readonly model: MapModel;
  private readonly options: ChartOptions;
  private readonly painting: Painting;
  private painted: Painted = { count: 0, targets: null, labels: [], groups: [] };
  private readonly worldLayer: CanvasLayer | null;
  private readonly networkLayer: CanvasLayer;
  private readonly highlightLayer: CanvasLayer;
  private readonly tip = L.tooltip({ direction: 'top', offset: [0, -8], opacity: 1 });
  private readonly stops: (() => void)[] = [];
  private hasFiner = false;
  private isGone = false; // answers that come later find no map to move
  private hover: Hit | null = null;

  constructor(element: HTMLElement, model: MapModel, options: ChartOptions) {
    this.model = model;
    this.options = options;
    this.map = L.map(element, {
      minZoom: 2, maxZoom: nearest, zoomSnap: 0.25, zoomDelta: 1, wheelPxPerZoomLevel: 90,
      zoomAnimation: !isCalm, fadeAnimation: !isCalm, inertia: !isCalm,
      maxBounds: [[-89, -200], [89, 200]], maxBoundsViscosity: 0.8, zoomControl: false, attributionControl: false,
      ...options.mapOptions,
    });
    L.control.zoom({ position: 'bottomleft' }).addTo(this.map);
    L.control.scale({ position: 'bottomleft', imperial: false, maxWidth: 110 }).addTo(this.map);
    for (const [pane, order] of [['world', 150], ['network', 410], ['highlight', 420]] as const) {
      this.map.createPane(pane).style.zIndex = String(order);
    }
    this.painting = new Painting({
      newWorker: options.newWorker, looks: () => this.looks(),
      take: (layer, painted) => { if (layer === 'network') this.take(painted); },
      repaint: (layers) => layers.forEach((layer) => (layer === 'world' ? this.worldLayer : this.networkLayer)?.redraw()),
    });
    this.worldLayer = options.tiles ? null : new CanvasLayer({ pane: 'world', brush: this.painting.brushOf('world') });
    this.networkLayer = new CanvasLayer({ pane: 'network', brush: this.painting.brushOf('network') });
    const highlights = new PageBrush((context, view) => this.paintHighlights(context, view));
    this.highlightLayer = new CanvasLayer({ pane: 'highlight', brush: () => highlights });
    this.map.setView(options.center ?? defaultView.center, options.zoom ?? defaultView.zoom, { animate: false });
    this.addBaseMap(options);
    this.networkLayer.addTo(this.map);
    this.highlightLayer.addTo(this.map);
    this.map.on('mousemove', this.onMove, this).on('mouseout', () => this.setHover(null)).on('click', this.onClick, this);
    this.followSize(element);
    this.watch();
    this.stops.push(followSchematic(this, model, options.center !== null));
  }

  dispose(): void {
    this.isGone = true;
    this.stops.forEach((stop) => stop());
    this.map.remove();
    this.painting.dispose();
  }

  private take(painted: Painted): void {
    this.painted = painted;
    if (painted.targets) this.model.isPainted.value = true;
    const had = this.model.groupsInView.peek();
    if (painted.groups.length !== had.size || painted.groups.some((group) => !had.has(group))) this.model.groupsInView.value = new Set(painted.groups);
  }

  private addBaseMap({ tiles, loadWorld }: ChartOptions): void {
    if (tiles) {
      L.control.attribution({ prefix: false }).addTo(this.map);
      L.tileLayer(tiles.url, { noWrap: true, ...tiles.options }).addTo(this.map);
      return;
    }
    this.worldLayer!.addTo(this.map);
    const load = (scale: WorldScale) => void loadWorld(scale).then((world) => this.painting.setWorld(scale, world));
    load('small');
    const finer = () => {
      if (this.hasFiner || this.map.getZoom() < finerFrom) return;
      this.map.off('zoomend', finer);
      this.hasFiner = true;
      load('large');
    };
    this.map.on('zoomend', finer);
    finer();
  }

  private followSize(element: HTMLElement): void {
    // The first call tells the size that the map has already: its middle would be rounded to a pixel.
    const observer = new ResizeObserver(() => {
      if (!this.map.getSize().equals([element.clientWidth, element.clientHeight])) this.map.invalidateSize({ animate: false });
    });
    observer.observe(element);
    this.stops.push(() => observer.disconnect());
  }

  private watch(): void {
    const { model } = this;
    this.stops.push(effect(() => {
      const { value: scene } = model.scene;
      if (!scene) return;
      this.hover = null;
      this.painting.setScene(scene);
      this.highlightLayer.redraw();
    }));
    this.stops.push(effect(() => {
      void model.withTexts.value;
      this.writeTip();
      const scene = model.scene.peek();
      if (scene) this.painting.setNames(scene.network.columns.nodes.name);
    }));
    this.stops.push(effect(() => {
      void model.selection.value;
      this.networkLayer.redraw(); // its name
      this.highlightLayer.redraw();
    }));
    this.stops.push(effect(() => {
      void model.emphasised.value;
      this.networkLayer.redraw();
    }));
    this.stops.push(effect(() => {
      void [model.dark.value, model.schematic.isShown.value];
      this.worldLayer?.redraw();
      this.networkLayer.redraw();
    }));
  }

  private css(name: string): string {
    return getComputedStyle(this.map.getContainer()).getPropertyValue(name).trim();
  }

  private looks(): Looks {
    const { selection, network, dark } = this.model;
    const node = selection.value?.kind === 'nodes' ? network.value?.nodeAt(selection.value.number) : undefined;
    return {
      network: {
        text: this.css('--map-text'), halo: this.css('--map-halo'), surface: this.css('--map-surface'),
        dark: dark.value, selected: node ?? null, emphasised: this.model.emphasised.value,
      },
      world: this.model.schematic.isShown.value ? null
        : { land: this.css('--map-land'), border: this.css('--map-border'), label: this.css('--map-label') },
    };
  }

  private *paintHighlights(context: Painter, view: View): Work<number> {
    const { value: scene } = this.model.scene;
    if (!scene) return 0;
    const { node, link } = this.options.selected ?? chosen;
    for (const hit of this.hitsOf(this.model.selection.value)) {
      paintHighlight(context, view, scene.network, hit, hit.kind === 'node' ? node.colour : link.colour, node.size, link.size);
    }
    const over = this.options.highlight ?? hovered;
    if (!this.hover) return 1;
    const { kind } = this.hover;
    paintHighlight(context, view, scene.network, this.hover, kind === 'node' ? over.node.colour : over.link.colour, over.node.size, over.link.size);
    return 1;
  }

  // What is selected, as places on the map: of an institution all the nodes that it owns.
  private hitsOf(selection: Selection | null): Hit[] {
    const { value: network } = this.model.network;
    if (!selection || !network) return [];
    if (selection.kind === 'institutions') {
      return this.nodesOf(selection.number).map((index) => ({ kind: 'node', index }));
    }
    const index = (selection.kind === 'nodes' ? network.nodeAt : network.linkAt)(selection.number);
    return index === undefined ? [] : [selection.kind === 'nodes' ? { kind: 'node', index } : { kind: 'link', index, size: 1 }];
  }

  private nodesOf(institution: number): number[] {
    const { value: network } = this.model.network;
    const place = network?.institutionAt(institution);
    if (!network || place === undefined) return [];
    const { owners } = network.columns.nodes;
    const nodes: number[] = [];
    for (let node = 0; node < owners.of.length; node++) if (listAt(owners, node).includes(place)) nodes.push(node);
    return nodes;
  }

  // Its record number.
  nodeAt(event: L.LeafletMouseEvent): number | null {
    const hit = this.hitAt(event);
    return hit?.kind === 'node' ? this.model.network.value!.columns.nodes.number[hit.index]! : null;
  }

  private hitAt(event: L.LeafletMouseEvent): Hit | null {
    const { x, y } = this.map.getPixelOrigin().add(event.layerPoint).divideBy(256 * 2 ** this.map.getZoom());
    return this.painted.targets && hitOf(this.painted.targets, x, y);
  }

  private onMove(event: L.LeafletMouseEvent): void {
    if ((event.originalEvent as MouseEvent).buttons === 0) this.setHover(this.hitAt(event), event.latlng);
  }

  private setHover(hit: Hit | null, at?: L.LatLng): void {
    if (hit && at) this.tip.setLatLng(at);
    if (isSame(hit, this.hover)) return;
    this.hover = hit;
    this.map.getContainer().style.cursor = hit ? 'pointer' : '';
    this.highlightLayer.redraw();
    if (!hit || !at) {
      this.map.closeTooltip(this.tip);
      return;
    }
    this.writeTip();
    this.map.openTooltip(this.tip);
  }

  private writeTip(): void {
    const network = this.model.network.peek();
    if (!this.hover || !network) return;
    const text = document.createElement('span'); // names are data of others: never as markup
    text.textContent = this.model.hasTexts ? tipOf(this.hover, network.columns) : t('Loading …');
    this.tip.setContent(text);
  }

  private onClick(event: L.LeafletMouseEvent): void {
    const hit = this.hitAt(event);
    if (!hit) return this.model.panel.value === 'failure' ? undefined : this.model.select(null);
    if (hit.kind === 'cluster') return this.openCluster(hit.members, this.map.unproject(L.point(hit.x, hit.y).multiplyBy(256), 0));
    if (hit.kind === 'link' && hit.size > 1 && this.map.getZoom() < nearest) return this.goTo(event.latlng, Math.min(nearest, this.map.getZoom() + 2));
    const { columns } = this.model.network.value!;
    if (hit.kind === 'node') this.model.pick('nodes', columns.nodes.number[hit.index]!);
    else this.model.pick('links', columns.links.number[hit.index]!);
  }

  // Comes nearer, so that its nodes stand apart; of those that never do each click picks the next.
  private openCluster(members: Int32Array, at: L.LatLng): void {
    const { x, y, columns } = this.model.network.value!;
    const isOnePlace = members.every((node) => Math.hypot(x[node]! - x[members[0]!]!, y[node]! - y[members[0]!]!) < onePlace);
    if (!isOnePlace && this.map.getZoom() < nearest) return this.goTo(at, Math.min(nearest, this.map.getZoom() + 2));
    const { value: selection } = this.model.selection;
    const last = selection?.kind === 'nodes' ? members.findIndex((node) => columns.nodes.number[node] === selection.number) : -1;
    this.model.pick('nodes', columns.nodes.number[members[(last + 1) % members.length]!]!);
  }

  // Brings a record into view. Answers whether it has a place.
  show(selection: Selection): boolean {
    const { value: network } = this.model.network;
    if (!network) return false;
    const nodes = selection.kind === 'institutions' ? this.nodesOf(selection.number)
      : this.hitsOf(selection).flatMap((hit) => (hit.kind === 'node' ? [hit.index]
        : hit.kind === 'link' ? [network.a[hit.index]!, network.b[hit.index]!] : []));
    return this.showNodes(nodes);
  }

  showAll(animate = true): boolean {
    const { value: mask } = this.model.mask;
    return mask !== null && this.showWhere((node) => mask.nodes[node] === 1, animate);
  }

  // What differs, or is a part of a route, and both ends of links that do or are.
  showStyled(animate = true): boolean {
    const { value: scene } = this.model.scene;
    if (!scene) return false;
    const { network: { a, b }, styled } = scene;
    const nodes = new Set([...styled.nodes.keys()].filter((node) => styled.nodes[node]! > 0));
    styled.links.forEach((style, link) => { if (style > 0) nodes.add(a[link]!).add(b[link]!); });
    return this.showNodes([...nodes], animate) || this.showAll(animate);
  }

  private showNodes(nodes: number[], animate = true): boolean {
    const wanted = new Set(nodes);
    return this.showWhere((node) => wanted.has(node), animate);
  }

  private showWhere(isWanted: (node: number) => boolean, animate: boolean): boolean {
    if (this.isGone) return false;
    const { x, y } = this.model.network.value!;
    const [least, most] = [L.point(Infinity, Infinity), L.point(-Infinity, -Infinity)];
    for (let node = 0; node < x.length; node++) {
      if (Number.isNaN(x[node]) || !isWanted(node)) continue;
      least.x = Math.min(least.x, x[node]!);
      least.y = Math.min(least.y, y[node]!);
      most.x = Math.max(most.x, x[node]!);
      most.y = Math.max(most.y, y[node]!);
    }
    if (least.x > most.x) return false;
    const bounds = L.latLngBounds([least, most].map((corner) => this.map.unproject(corner.multiplyBy(256), 0)));
    this.map.fitBounds(bounds, { ...this.freePart(), maxZoom: Math.max(8, Math.min(this.map.getZoom(), 10)), animate: animate && !isCalm, duration: 0.4 });
    return true;
  }

  // What panels, drawer and time line leave free of the map, on a window that is wide enough.
  private freePart(): L.FitBoundsOptions {
    const { panel, selection } = this.model;
    const isWide = this.map.getSize().x > 900;
    const left = isWide && panel.value !== null && panel.value !== 'time' ? 380 : 70;
    const right = isWide && selection.value !== null ? 310 : 60;
    return { paddingTopLeft: [left, 50], paddingBottomRight: [right, panel.value === 'time' ? 190 : 50] };
  }

  showPlace(latitude: number, longitude: number): void {
    this.goTo(L.latLng(latitude, longitude), Math.max(6, this.map.getZoom()));
  }

  private goTo(at: L.LatLng, zoom: number): void {
    if (isCalm) this.map.setView(at, zoom, { animate: false });
    else this.map.flyTo(at, zoom, { duration: 0.4 });
  }

  // What the window shows, painted twice as fine, for a picture.
  paintPicture(): HTMLCanvasElement {
    const { x: width, y: height } = this.map.getSize();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * pictureScale, height * pictureScale];
    const context = canvas.getContext('2d')!;
    context.scale(pictureScale, pictureScale);
    this.paintAll(context);
    return canvas;
  }

  // The same as the text of an SVG file.
  paintSvg(): string {
    const { x: width, y: height } = this.map.getSize();
    const painter = new SvgPainter(document.createElement('canvas').getContext('2d')!);
    this.paintAll(painter);
    return painter.write(width, height, t('Network map'));
  }

  private paintAll(context: Painter): void {
    const { x: width, y: height } = this.map.getSize();
    const { min } = this.map.getPixelBounds();
    const zoom = this.map.getZoom();
    const view: View = { zoom, scale: 256 * 2 ** zoom, left: min!.x, top: min!.y, width, height };
    const { value: isSchematic } = this.model.schematic.isShown;
    context.fillStyle = this.css(isSchematic ? '--map-land' : '--map-sea');
    context.fillRect(0, 0, width, height);
    this.painting.paint(context, view);
    finish(this.paintHighlights(context, view));
    const look = { text: this.css('--map-text'), surface: this.css('--map-surface'), muted: this.css('--map-muted') };
    paintLegend(context, width, height, legendLines(this.model, look.text), look, (n) => t('and {n} more', { n }));
    if (!isSchematic) {
      paintScale(context, height, this.metresPerPixel, look);
      paintAttribution(context, width, height, attribution, look);
    }
  }

  // In the middle of the view.
  private get metresPerPixel(): number {
    const middle = this.map.getSize().divideBy(2);
    return this.map.distance(this.map.containerPointToLatLng(middle), this.map.containerPointToLatLng(middle.add([1, 0])));
  }

  // Tiles of another server may not be read again.
  get hasPicture(): boolean {
    return this.worldLayer !== null;
  }

  get viewText(): string {
    const { lat, lng } = this.map.getCenter();
    return `${lat.toFixed(3)},${lng.toFixed(3)},${this.map.getZoom()}`;
  }

  get isPainting(): boolean {
    return this.networkLayer.isPainting || this.painting.isSending;
  }

  // Nodes, or circles that stand for several, of the last painting; the names that it shows, and where.
  get inView(): number {
    return this.painted.targets?.x.length ?? 0;
  }

  get labels(): readonly Label[] {
    return this.painted.labels;
  }
}
