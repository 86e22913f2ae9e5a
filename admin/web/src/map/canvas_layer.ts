// A Leaflet layer that is one canvas: it covers the map and a margin, moves along while the map is
// dragged, is scaled while it zooms, and is painted again when it rests.
//
// A painting is made on a second canvas, by a brush (painting/brush.ts); the one before is shown until that is
// complete, moved and scaled to where it belongs.
import L from 'leaflet';
import type { View } from './drawing.ts';
import { newCanvas, type Brush } from './painting/brush.ts';

const margin = 0.12; // of the map's size, on each side
const lightCount = 500; // so much is painted in every frame while dragging
const heavyMilliseconds = 250; // more is painted so often; the canvas moves along in between

interface Options extends L.LayerOptions {
  pane: string;
  brush: () => Brush; // what paints next
}

export class CanvasLayer extends L.Layer {
  private readonly brush: () => Brush;
  private canvas = newCanvas(); // that is shown
  private view: View | null = null; // of what is shown
  private frame = 0; // that is asked for; 0: none
  private working: Brush | null = null;
  private lastCount = 0;
  private lastTime = 0;

  constructor({ brush, ...options }: Options) {
    super();
    L.Util.setOptions(this, options);
    this.brush = brush;
  }

  override onAdd(map: L.Map): this {
    this.getPane()!.append(this.canvas);
    map.on('moveend resize zoomend viewreset', this.redraw, this);
    map.on('move', this.onMove, this);
    map.on('zoomanim', this.onZoomAnimation, this);
    this.redraw();
    return this;
  }

  override onRemove(map: L.Map): this {
    this.halt();
    this.canvas.remove();
    map.off('moveend resize zoomend viewreset', this.redraw, this);
    map.off('move', this.onMove, this);
    map.off('zoomanim', this.onZoomAnimation, this);
    return this;
  }

  // Begins to paint in the next frame, once, however often it is called.
  redraw(): void {
    this.halt();
    this.frame = requestAnimationFrame(() => this.begin());
  }

  private halt(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.working?.stop();
    this.working = null;
  }

  get isPainting(): boolean {
    return this.frame !== 0 || this.working !== null || this.view === null;
  }

  private onMove(): void {
    const isDue = this.lastCount < lightCount || performance.now() - this.lastTime > heavyMilliseconds;
    if (isDue && this.working === null) this.redraw();
  }

  // What is being painted would be of the level before; at the end of the animation all is painted anew.
  private onZoomAnimation({ center, zoom }: L.ZoomAnimEvent): void {
    this.halt();
    this.place(zoom, inside(this._map)._getNewPixelOrigin(center, zoom));
  }

  // Moves and scales what is shown to where it belongs at a zoom level.
  private place(zoom: number, origin: L.Point): void {
    if (!this.view) return;
    const scale = this._map.getZoomScale(zoom, this.view.zoom);
    L.DomUtil.setTransform(this.canvas, L.point(this.view.left, this.view.top).multiplyBy(scale).subtract(origin), scale);
  }

  private begin(): void {
    this.frame = 0;
    const map = this._map as L.Map | undefined;
    if (!map || inside(map)._animatingZoom) return;
    this.place(map.getZoom(), map.getPixelOrigin());
    const size = map.getSize();
    const extra = size.multiplyBy(margin).floor();
    const [width, height] = [size.x + 2 * extra.x, size.y + 2 * extra.y];
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const { x: left, y: top } = map.containerPointToLayerPoint([0, 0]).subtract(extra).add(map.getPixelOrigin());
    const zoom = map.getZoom();
    const view = { zoom, scale: 256 * 2 ** zoom, left, top, width, height };
    this.working = this.brush();
    this.working.begin(view, ratio, (canvas, count) => this.show(canvas, view, count));
  }

  private show(canvas: HTMLCanvasElement, view: View, count: number): void {
    this.canvas.replaceWith(canvas);
    this.canvas = canvas;
    this.view = view;
    this.working = null;
    this.lastCount = count;
    this.lastTime = performance.now();
    this.place(this._map.getZoom(), this._map.getPixelOrigin());
  }
}

// What Leaflet keeps to itself and to its own layers.
const inside = (map: L.Map) => map as unknown as {
  _animatingZoom: boolean;
  _getNewPixelOrigin(center: L.LatLng, zoom: number): L.Point;
};
