// A Leaflet layer that is one canvas: it covers the map and a margin, moves along while the map is
// dragged, is scaled while it zooms, and is painted again when it rests.
import L from 'leaflet';
import type { View } from './drawing.ts';

// Paints, and answers how many things it drew.
type Paint = (context: CanvasRenderingContext2D, view: View) => number;

const margin = 0.12; // of the map's size, on each side
const lightCount = 500; // so much is painted in every frame while dragging
const heavyMilliseconds = 250; // more is painted so often; the canvas moves along in between

interface Options extends L.LayerOptions {
  pane: string;
  paint: Paint;
}

export class CanvasLayer extends L.Layer {
  private readonly canvas = document.createElement('canvas');
  private readonly paint: Paint;
  private view: View | null = null;
  private center = L.latLng(0, 0);
  private frame = 0;
  private lastMilliseconds = 0;
  private lastCount = 0;
  private lastTime = 0;

  constructor({ paint, ...options }: Options) {
    super();
    L.Util.setOptions(this, options);
    this.paint = paint;
    this.canvas.className = 'leaflet-zoom-animated';
    this.canvas.setAttribute('aria-hidden', 'true');
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
    cancelAnimationFrame(this.frame);
    this.canvas.remove();
    map.off('moveend resize zoomend viewreset', this.redraw, this);
    map.off('move', this.onMove, this);
    map.off('zoomanim', this.onZoomAnimation, this);
    return this;
  }

  // Paints in the next frame, once, however often it is called.
  redraw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  get milliseconds(): number {
    return this.lastMilliseconds;
  }

  // From a point in the map's window to one on the canvas.
  toCanvas(point: L.Point): L.Point {
    const size = this._map.getSize();
    return point.add(size.multiplyBy(margin).floor());
  }

  private onMove(): void {
    const isDue = performance.now() - this.lastTime > heavyMilliseconds;
    if (this.lastCount < lightCount || isDue) this.redraw();
  }

  private onZoomAnimation(event: L.ZoomAnimEvent): void {
    if (!this.view) return;
    const map = this._map;
    const scale = map.getZoomScale(event.zoom, this.view.zoom);
    const half = map.getSize().multiplyBy(0.5).add(map.getSize().multiplyBy(margin).floor());
    const origin = (map as unknown as { _getNewPixelOrigin(center: L.LatLng, zoom: number): L.Point })
      ._getNewPixelOrigin(event.center, event.zoom);
    const corner = half.multiplyBy(-scale).add(map.project(this.center, event.zoom)).subtract(origin);
    L.DomUtil.setTransform(this.canvas, corner, scale);
  }

  private draw(): void {
    const map = this._map as L.Map | undefined;
    if (!map) return;
    const begin = performance.now();
    const size = map.getSize();
    const extra = size.multiplyBy(margin).floor();
    const [width, height] = [size.x + 2 * extra.x, size.y + 2 * extra.y];
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    if (this.canvas.width !== width * ratio || this.canvas.height !== height * ratio) {
      this.canvas.width = width * ratio;
      this.canvas.height = height * ratio;
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    const corner = map.containerPointToLayerPoint([0, 0]).subtract(extra);
    L.DomUtil.setTransform(this.canvas, corner, 1);
    const world = corner.add(map.getPixelOrigin());
    this.center = map.getCenter();
    const zoom = map.getZoom();
    this.view = { zoom, scale: 256 * 2 ** zoom, left: world.x, top: world.y, width, height };
    const context = this.canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.lastCount = this.paint(context, this.view);
    this.lastTime = performance.now();
    this.lastMilliseconds = this.lastTime - begin;
  }
}
