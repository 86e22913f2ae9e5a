// The map page at /, and the map on the start page of the administration.
import { effect, untracked } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { MapColumns } from '../../generated/api.ts';
import worldLargeUrl from '../../generated/world_50m.json?url';
import worldSmallUrl from '../../generated/world_110m.json?url';
import { session } from '../app/api.ts';
import { LanguageAndTheme } from '../app/look.tsx';
import { logOut } from '../app/header.tsx';
import { navigate, place } from '../app/router.ts';
import { dark } from '../app/theme.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { filterOf, searchOf, wantedBy } from './address.ts';
import type { Chart, ChartOptions } from './chart.ts';
import { MapModel } from './model.ts';
import { MapView } from './map_view.tsx';
import { worldOf, type WorldFile } from './world.ts';

async function loadWorld(scale: 'small' | 'large') {
  const answer = await fetch(scale === 'small' ? worldSmallUrl : worldLargeUrl);
  return worldOf((await answer.json()) as WorldFile);
}

export const baseMapOptions = (): Pick<ChartOptions, 'tiles' | 'loadWorld'> => {
  const tiles = session.value?.settings?.tile_server;
  return { tiles: tiles ? { url: tiles } : null, loadWorld };
};

// Where an administrator wants the map to begin; nothing while the settings have their defaults,
// since then everything is shown.
function initialView(): { center: [number, number]; zoom: number } | null {
  const { latitude = 0, longitude = 0, zoom = 3 } = session.value?.settings ?? {};
  return latitude === 0 && longitude === 0 && zoom === 3 ? null : { center: [latitude, longitude], zoom };
}

export function MapPage({ inside }: { inside?: boolean }) {
  const model = useMemo(() => new MapModel({ endpoint: '/' }), []);
  const wanted = useMemo(() => wantedBy(inside ? '' : place.value.search), []);
  const settings = session.value?.settings;
  const initial = initialView();
  useEffect(() => effect(() => { model.dark.value = dark.value; }), []);
  useEffect(() => () => model.dispose(), []);
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
    whenLoaded(model, (columns) => {
      model.chosenGrouping.value = wanted.colour;
      model.filter.value = filterOf(columns, wanted);
      if (wanted.selection) {
        model.selection.value = wanted.selection;
        if (!wanted.view) chart.show(wanted.selection);
      } else if (!wanted.view && !initial) chart.showAll(false);
      if (wanted.failed.nodes.length + wanted.failed.links.length > 0) void model.fail(wanted.failed);
      if (!inside) keepAddress(model, chart);
      exposeForTests(chart);
    });
    void (wanted.at === null ? model.load() : model.showAt(wanted.at));
  };
  return (
    <div class={inside ? 'map-inside' : 'map-page'}>
      {!inside && <Bar />}
      <main id={inside ? undefined : 'main'} class="map-main" tabIndex={-1}>
        {!inside && <h1 class="hidden">{t('Network map')}</h1>}
        <MapView model={model} options={options} editing onChart={begin} />
      </main>
    </div>
  );
}

// Once, when there is a map for the first time: not yet where the address names no point in time.
function whenLoaded(model: MapModel, run: (columns: MapColumns) => void): void {
  let done = false;
  effect(() => {
    const { value: columns } = model.columns;
    if (!columns || done) return;
    done = true;
    untracked(() => run(columns));
  });
}

// The address follows the map, so that it can be copied at any time.
function keepAddress(model: MapModel, chart: Chart): void {
  const write = () => {
    const { value: columns } = model.columns;
    if (!columns || location.pathname !== '/') return;
    const search = searchOf({
      selection: model.selection.value, filter: model.filter.value, colour: model.chosenGrouping.value, at: model.at,
      failed: model.failed.value, view: chart.viewText,
    });
    if (search !== location.search) history.replaceState(null, '', `/${search}`);
  };
  effect(() => {
    void [model.selection.value, model.filter.value, model.chosenGrouping.value, model.point.value, model.named.value, model.failed.value];
    write();
  });
  chart.map.on('moveend', write);
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
