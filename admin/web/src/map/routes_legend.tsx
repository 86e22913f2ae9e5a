// The routes that are compared, each with its number, its links and its length; a click shows it alone.
import { number, t } from '../i18n/index.ts';
import type { MapModel } from './model.ts';
import type { LegendLine } from './picture.ts';
import { commonOf, commonStyle, lengthOf, routeStyle, type Route } from './routes.ts';
import { Sample } from './sample.tsx';

export function RoutesLegend({ model }: { model: MapModel }) {
  const { value: routes } = model.routes;
  const { value: network } = model.network;
  const { value: chosen } = model.chosenRoutes;
  const { value: dark } = model.dark;
  if (!network) return null;
  const missing = routes.reduce((sum, route) => sum + lengthOf(network, route).missing, 0);
  return (
    <section class="map-legend of-changes" aria-label={t('Legend')}>
      <ul class="plain">
        {routes.map((route, place) => (
          <li key={place}>
            <button type="button" class={chosen.size > 0 && !chosen.has(place) ? 'row faint' : 'row'} aria-pressed={chosen.has(place)} onClick={() => model.toggleRoute(place)}>
              <Sample style={routeStyle(place, dark)} /><span>{t('Route {place}', { place: place + 1 })}</span><small>{lengthText(model, route)}</small>
            </button>
          </li>
        ))}
      </ul>
      {commonOf(routes).length > 0 && <p class="muted common"><Sample style={commonStyle(dark)} />{t('In common')}</p>}
      {missing > 0 && <p class="muted">{t('{n} links of these routes are not on the map.', { n: missing })}</p>}
      <button type="button" class="small quiet" onClick={() => model.showRoutes([])}>{t('Hide the routes')}</button>
    </section>
  );
}

function lengthText(model: MapModel, route: Route): string {
  const { links, kilometres } = lengthOf(model.network.value!, route);
  return kilometres === null ? t('{n} links', { n: links }) : t('{n} links, {km} km', { n: links, km: number(Math.round(kilometres)) });
}

// The same for a picture.
export function routeLines(model: MapModel): LegendLine[] {
  const { value: routes } = model.routes;
  const { value: chosen } = model.chosenRoutes;
  const { value: dark } = model.dark;
  const shown = routes.map((route, place) => ({ route, place })).filter(({ place }) => chosen.size === 0 || chosen.has(place));
  const lines = shown.map(({ route, place }) => (
    { text: `${t('Route {place}', { place: place + 1 })}: ${lengthText(model, route)}`, dot: true, ...routeStyle(place, dark) }));
  const isCommon = commonOf(shown.map(({ route }) => route)).length > 0;
  return isCommon ? [...lines, { text: t('In common'), dot: true, ...commonStyle(dark) }] : lines;
}
