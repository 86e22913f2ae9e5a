// What green, red and brown mean, how many of each there are, and which of them are shown.
import { number, t, type Text } from '../i18n/index.ts';
import { changeKinds, countOf, type ChangeKind } from './changes.ts';
import type { MapModel } from './model.ts';
import type { LegendLine } from './picture.ts';
import { Sample } from './sample.tsx';
import { changeStyles } from './styles.ts';

export const changeTexts: Record<ChangeKind, Text> = { added: 'Added', removed: 'Removed', changed: 'Changed' };
const plannedTexts: Record<ChangeKind, Text> = { added: 'Comes', removed: 'Goes', changed: 'Changes or moves' };

const textOf = (model: MapModel, kind: ChangeKind): string => t((model.planned.value ? plannedTexts : changeTexts)[kind]);

export function ChangeLegend({ model }: { model: MapModel }) {
  const { value: changes } = model.allChanges;
  if (!changes) return null;
  const counts = countOf(changes);
  const styles = changeStyles(model.dark.value);
  const { value: chosen } = model.changeKinds;
  const kinds = changeKinds.filter((kind) => counts[kind] > 0);
  const placeless = withoutPlace(model);
  const leftOut = model.planned.value?.map.left_out ?? 0;
  return (
    <section class="map-legend of-changes" aria-label={t('Legend')}>
      <ul class="plain">
        {kinds.map((kind) => (
          <li key={kind}>
            <button type="button" class={chosen.size > 0 && !chosen.has(kind) ? 'row faint' : 'row'} aria-pressed={chosen.has(kind)} onClick={() => model.toggleChanges(kind)}>
              <Sample style={styles[kind]} /><span>{textOf(model, kind)}</span><small>{number(counts[kind])}</small>
            </button>
          </li>
        ))}
      </ul>
      {kinds.length === 0 && <p class="muted">{t('Nothing of this is on the map.')}</p>}
      {placeless > 0 && <p class="muted">{t('{n} of them have no place.', { n: placeless })}</p>}
      {leftOut > 0 && <p class="muted">{t('{n} more are not drawn.', { n: leftOut })}</p>}
    </section>
  );
}

// Nodes that differ and are nowhere, and links to such.
function withoutPlace(model: MapModel): number {
  const { value: scene } = model.scene;
  if (!scene) return 0;
  const { network: { x, a, b }, styled } = scene;
  let count = 0;
  styled.nodes.forEach((style, node) => { if (style > 0 && Number.isNaN(x[node])) count += 1; });
  styled.links.forEach((style, link) => { if (style > 0 && (Number.isNaN(x[a[link]!]) || Number.isNaN(x[b[link]!]))) count += 1; });
  return count;
}

// The same for a picture.
export function changeLines(model: MapModel): LegendLine[] {
  const { value: changes } = model.allChanges;
  if (!changes) return [];
  const counts = countOf(changes);
  const styles = changeStyles(model.dark.value);
  const { value: chosen } = model.changeKinds;
  return changeKinds.filter((kind) => counts[kind] > 0 && (chosen.size === 0 || chosen.has(kind)))
    .map((kind) => ({ text: `${textOf(model, kind)}: ${number(counts[kind])}`, dot: true, ...styles[kind] }));
}
