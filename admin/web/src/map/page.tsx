// The map page at /, and the map on the start page of the administration.
import { effect, untracked } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import worldLargeUrl from '../../generated/world_50m.json?url';
import worldSmallUrl from '../../generated/world_110m.json?url';
import { session } from '../app/api.ts';
import { LanguageAndTheme } from '../app/look.tsx';
import { logOut } from '../app/header.tsx';
import { navigate, place } from '../app/router.ts';
import { dark } from '../app/theme.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { filterOf, isFiltered, searchOf, wantedBy, type Wanted } from './address.ts';
import { takeAhead } from './ahead.ts';
import type { Chart, ChartOptions } from './chart.ts';
import type { Ahead } from './client.ts';
import type { Columns } from './columns.ts';
import { MapModel } from './model.ts';
import { MapView } from './map_view.tsx';
import { arrangeInWorker } from './schematic/arranger.ts';
import { worldOf, type WorldFile } from './world.ts';

async function loadWorld(scale: 'small' | 'large') {
  const answer = await fetch(scale === 'small' ? worldSmallUrl : worldLargeUrl);
  return worldOf((await answer.json()) as WorldFile);
}

export const baseMapOptions = (): Pick<ChartOptions, 'tiles' | 'loadWorld' | 'newWorker'> => {
  const tiles = session.value?.settings?.tile_server;
  return { tiles: tiles ? { url: tiles } : null, loadWorld, newWorker };
};

const newWorker = () => new Worker(new URL('./painting/worker.ts', import.meta.url), { type: 'module' });

// Where an administrator wants the map to begin; nothing while the settings have their defaults,
// since then everything is shown.
function initialView(): { center: [number, number]; zoom: number } | null {
  const { latitude = 0, longitude = 0, zoom = 3 } = session.value?.settings ?? {};
  return latitude === 0 && longitude === 0 && zoom === 3 ? null : { center: [latitude, longitude], zoom };
}

interface Props {
  inside?: boolean; // of another page, which has its own address
  since?: number | null; // the LSN of the map that it is compared with
}

export function MapPage({ inside, since }: Props) {
  const wanted = useMemo(() => wantedBy(inside ? '' : place.value.search), []);
  const model = useMemo(() => modelFor(wanted, inside ? null : takeAhead()), []);
  const settings = session.value?.settings;
  const initial = initialView();
  useEffect(() => effect(() => { model.dark.value = dark.value; }), []);
  const stops = useMemo<(() => void)[]>(() => [], []);
  useEffect(() => () => {
    stops.forEach((stop) => stop());
    model.dispose();
  }, []);
  useEffect(() => {
    if (inside) return;
    document.title = t('Network map');
    if (settings?.map_enabled === false) navigate('/admin/', 'replace');
  }, []);
  const options: ChartOptions = {
    center: wanted.view ? [wanted.view.latitude, wanted.view.longitude] : (initial?.center ?? null),
    zoom: wanted.view?.zoom ?? initial?.zoom ?? null,
    ...baseMapOptions(),
  };
  const begin = (chart: Chart) => {
    stops.push(whenLoaded(model, (columns) => {
      model.chosenGrouping.value = wanted.colour;
      if (isFiltered(wanted)) model.filter.value = filterOf(columns, wanted); // else the scene would be made twice
      if (wanted.routes.length > 0) model.showRoutes(wanted.routes);
      if (wanted.selection) model.selection.value = wanted.selection;
      if (!wanted.view && !wanted.isSchematic) {
        if (wanted.routes.length > 0) chart.showStyled(false);
        else if (wanted.selection) chart.show(wanted.selection);
        else if (!initial) chart.showAll(false);
      }
      const from = since ?? wanted.since;
      if (from !== null) void model.compareSince(from);
      if (wanted.failed.nodes.length + wanted.failed.links.length > 0) void model.fail(wanted.failed);
      if (!inside) stops.push(keepAddress(model, chart));
      exposeForTests(chart);
    }));
    void (wanted.at === null ? model.load() : model.showAt(wanted.at));
  };
  const Main = inside ? 'div' : 'main'; // a page has one of these landmarks
  return (
    <div class={inside ? 'map-inside' : 'map-page'}>
      {!inside && <Bar />}
      <Main id={inside ? undefined : 'main'} class="map-main" tabIndex={-1}>
        {!inside && <h1 class="hidden">{t('Network map')}</h1>}
        <MapView model={model} options={options} editing onChart={begin} />
      </Main>
    </div>
  );
}

function modelFor({ isSchematic, moved }: Wanted, ahead: Ahead | null): MapModel {
  const model = new MapModel({ endpoint: '/', ahead, arrange: arrangeInWorker });
  model.schematic.moved.value = new Map([...model.schematic.moved.value, ...moved]);
  model.schematic.isShown.value = isSchematic;
  return model;
}

// Once, when there is a map for the first time: not yet where the address names no point in time.
function whenLoaded(model: MapModel, run: (columns: Columns) => void): () => void {
  let done = false;
  return effect(() => {
    const { value: columns } = model.columns;
    if (!columns || done) return;
    done = true;
    untracked(() => run(columns));
  });
}

// The address follows the map, so that it can be copied at any time.
function keepAddress(model: MapModel, chart: Chart): () => void {
  const write = () => {
    const { value: columns } = model.columns;
    if (!columns || location.pathname !== '/') return;
    const search = searchOf({
      selection: model.selection.value, filter: model.filter.value, colour: model.chosenGrouping.value, at: model.at, since: model.since,
      failed: model.failed.value, routes: model.routes.value,
      moved: model.schematic.isShown.value ? model.schematic.moved.value : null, view: chart.viewText,
    });
    if (search !== location.search) history.replaceState(history.state, '', `/${search}`);
  };
  chart.map.on('moveend', write);
  return effect(() => {
    void [model.selection.value, model.filter.value, model.chosenGrouping.value, model.point.value, model.named.value, model.base.value, model.failed.value,
      model.routes.value, model.schematic.isShown.value, model.schematic.moved.value];
    write();
  });
}

// The tests measure painting and click where elements are.
export function exposeForTests(chart: Chart): void {
  (chart.map.getContainer() as HTMLElement & { netmlChart?: Chart }).netmlChart = chart;
}

function Bar() {
  const signedIn = session.value?.signed_in ?? false;
  const staff = signedIn && session.value?.account?.role !== 'viewer';
  return (
    <header class="map-bar">
      <span class="title"><Icon name="topology" />{t('Network map')}</span>
      <span class="end">
        <LanguageAndTheme />
        {signedIn
          ? (
            <>
              <a id="fim_logout_admin" href="/admin/">{t('Admin')}</a>
              <button type="button" class="quiet" id={staff ? 'fim_logout_staff' : 'fim_logout_user'} onClick={() => void logOut()}>{t('Log out')}</button>
            </>
          )
          : <a id="fim_login" href="/admin/login/">{t('Log in')}</a>}
      </span>
    </header>
  );
}
