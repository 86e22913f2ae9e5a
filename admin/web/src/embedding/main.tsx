// The script that foreign pages load to show the map of a node: it defines G.map(options). It
// brings everything along but the data, which come from the node at endpointURL.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { code, messages } from 'netml:language';
import worldText from '../../generated/world_110m.json?raw';
import { bringMessages } from '../i18n/index.ts';
import type { Chart } from '../map/chart.ts';
import { MapModel } from '../map/model.ts';
import { MapView } from '../map/map_view.tsx';
import { worldOf, type World, type WorldFile } from '../map/world.ts';
import { chartOptions, modelOptions, type EmbeddingOptions } from './options.ts';

declare global {
  interface Window {
    G?: { map?: (options?: EmbeddingOptions) => void };
  }
}

let world: World | null = null;

// One set of coast lines for all scales: the finer one would triple the script.
function loadWorld(): Promise<World> {
  world ??= worldOf(JSON.parse(worldText) as WorldFile);
  return Promise.resolve(world);
}

async function begin(model: MapModel, chart: Chart, options: EmbeddingOptions): Promise<void> {
  await model.load();
  if (options.center === 'navigator') showOwnPlace(chart, options.zoom ?? 6);
  else if (!options.center && !options.zoom) chart.showAll(false);
}

function showOwnPlace(chart: Chart, zoom: number): void {
  navigator.geolocation?.getCurrentPosition(
    ({ coords }) => chart.map.setView([coords.latitude, coords.longitude], zoom),
    () => chart.showAll(false), // the reader refused, or the page may not ask
  );
}

function map(options: EmbeddingOptions = {}): void {
  const element = document.querySelector(options.selector ?? '[map]');
  if (!element) throw new Error(`G.map: nothing matches ${options.selector ?? '[map]'}`);
  bringMessages(code, messages);
  const model = new MapModel(modelOptions(options));
  const darkPage = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => { model.dark.value = darkPage.matches && element.hasAttribute('data-dark'); };
  darkPage.addEventListener('change', follow);
  follow();
  const charts = chartOptions(options, loadWorld);
  effect(() => { element.toggleAttribute('data-netml-ready', model.columns.value !== null); });
  render(
    <>
      <MapView model={model} options={charts} onChart={(chart) => void begin(model, chart, options)} />
      {options.showLogo !== false && <a class="netml-logo" href={modelOptions(options).endpoint}>NetML</a>}
    </>,
    element,
  );
}

window.G = { ...window.G, map };
