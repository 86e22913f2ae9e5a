// What a view shows while it is written: beside all of the map, or beside what another view shows, on two
// maps that move together, in numbers, and element by element. Nothing is saved by that.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Change, Counts, MapColumns, StoredView, ViewPreview } from '../../generated/api.ts';
import { ApiError, errorText, get, post, query, session } from '../app/api.ts';
import { useLoaded, usePart, Waiting } from '../app/loaded.tsx';
import type { Row } from '../app/section.ts';
import { number, t, type Text } from '../i18n/index.ts';
import { useEntries } from '../ui/entry_choice.tsx';
import { isJsonObject, type Values } from '../ui/form_values.ts';
import { fieldText } from './changes_table.tsx';
import { FieldLines } from './field_lines.tsx';
import { kindText } from './kinds.ts';

const pause = 400; // milliseconds without a key before it is asked what is seen
const firstFew = 50;

const kinds: { name: keyof ViewPreview['all']; label: Text }[] = [
  { name: 'topologies', label: 'Topologies' }, { name: 'institutions', label: 'Institutions' },
  { name: 'nodes', label: 'Nodes' }, { name: 'links', label: 'Links' }, { name: 'properties', label: 'Properties' },
];
const actions: Record<Change['action'], Text> = { deleted: 'Hidden', updated: 'Seen otherwise', created: 'Stands for others' };
const countTexts: [keyof Counts, Text][] = [['deleted', '{n} hidden'], ['updated', '{n} seen otherwise'], ['created', '{n} stand for others']];

// The text once nobody has typed for a moment.
function useStill(text: string): string {
  const still = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => { still.value = text; }, pause);
    return () => clearTimeout(timer);
  }, [text]);
  return still.value;
}

// Says which step is wrong, too: "steps.0.drop.tagg: ...".
function throwWithPlace(error: unknown): never {
  const [field] = error instanceof ApiError ? Object.keys(error.fields) : [];
  throw field ? new Error(`${field.replace(/^view\./, '')}: ${errorText(error)}`) : error;
}

export function ViewPreviewOf({ row, values }: { row: Row | null; values: Values }) {
  const chosen = useSignal<StoredView | null>(null);
  const text = useStill(String(values.view ?? ''));
  const view = useRef<string | null>(null); // the last that could be read
  if (isJsonObject(text)) view.current = text;
  const asked = view.current;
  const against = chosen.value;
  const { value, problem } = useLoaded(`${asked} ${against?.number}`, async (stop) => {
    if (asked === null) return null;
    const address = `views/preview${query({ limit: firstFew, against: against?.number })}`;
    const preview = await post<ViewPreview>(address, { view: JSON.parse(asked) as object }, undefined, stop).catch(throwWithPlace);
    return { view: asked, against, preview };
  }, ['change']);
  return (
    <section class="view-preview" aria-label={t('What they see')}>
      <div class="head">
        <h2>{t('What they see')}</h2>
        <span class="muted">{t('Shown as it is typed. Nothing is saved by that.')}</span>
        <Against but={row?.number} chosen={against} onChoose={(view) => { chosen.value = view; }} />
      </div>
      {problem && value && <p class="error" role="alert">{problem}</p>}
      {!value ? asked !== null && <Waiting problem={problem} /> : (
        <>
          <Maps {...value} />
          <div class="found">
            <Numbers {...value} />
            <Differences preview={value.preview} />
          </div>
        </>
      )}
    </section>
  );
}

interface AgainstProps {
  but: number | undefined; // which is the one that is shown
  chosen: StoredView | null;
  onChoose: (view: StoredView | null) => void;
}

function Against({ but, chosen, onChoose }: AgainstProps) {
  const others = (useEntries<StoredView>('views') ?? []).filter((view) => view.number !== but);
  return (
    <label class="filter">{t('Compare with')}
      <select value={chosen?.number ?? ''}
        onChange={({ currentTarget }) => onChoose(others.find((view) => String(view.number) === currentTarget.value) ?? null)}>
        <option value="">{t('All of the map')}</option>
        {others.map((view) => <option key={view.number} value={view.number}>{view.name}</option>)}
      </select>
    </label>
  );
}

interface Previewed {
  view: string;
  against: StoredView | null; // null: all of the map
  preview: ViewPreview;
}

const titleOf = (against: StoredView | null) => against?.name ?? t('All of the map');

const twoMaps = async () => (await import('../map/two_maps.tsx')).TwoMaps;

// Both are loaded anew with each map that was previewed, so that they show the same one: an event says of no
// change whether it is one of the map, but the tag does. The view beside may have changed without the map.
function Maps({ view, preview, against }: Previewed) {
  const isDrawn = session.value?.settings?.map_enabled === true;
  const { value: both, problem } = usePart(isDrawn, isDrawn ? twoMaps : null);
  if (!isDrawn) return null;
  if (!both) return <Waiting problem={problem} />;
  const { all, tag } = preview;
  const left = () => get<MapColumns>(against ? `views/${against.number}/preview?map=true` : 'map');
  const right = () => post<MapColumns>('views/preview?map=true', { view: JSON.parse(view) as object });
  return (
    <both.Part left={{ title: titleOf(against), of: JSON.stringify([against?.number, all, tag]), load: left }}
      right={{ title: t('What they see'), of: view + tag, load: right }} />
  );
}

function Numbers({ preview: { all, seen, unknown }, against }: Previewed) {
  return (
    <div>
      <div class="table-frame numbers" tabIndex={0} role="region" aria-label={t('Seen')}>
        <table>
          <thead><tr><th>{t('Kind')}</th><th>{titleOf(against)}</th><th>{t('Seen')}</th></tr></thead>
          <tbody>
            {kinds.map(({ name, label }) => (
              <tr key={name} class={all[name] === seen[name] ? undefined : 'differs'}>
                <th scope="row">{t(label)}</th><td class="narrow">{number(all[name])}</td><td class="narrow">{number(seen[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {unknown.length > 0 && <p class="error">{t('Not on the map: {names}', { names: unknown.join(', ') })}</p>}
    </div>
  );
}

function Differences({ preview }: { preview: ViewPreview }) {
  const { items, fields, total } = preview;
  const more = (total ?? 0) - items.length;
  if (items.length === 0) return <p class="muted">{t('All is seen as it is.')}</p>;
  const byField = Object.entries(fields).sort(([, a], [, b]) => b - a);
  return (
    <div class="what">
      <h3>{t('What differs')}</h3>
      <ul class="plain counts">
        {countTexts.filter(([key]) => preview[key] > 0).map(([key, text]) => <li key={key} class={key}>{t(text, { n: preview[key] })}</li>)}
        {byField.map(([field, count]) => <li key={field} class="muted">{fieldText(field)}: {number(count)}</li>)}
      </ul>
      <div class="table-frame differences" tabIndex={0} role="region" aria-label={t('What differs')}>
        <table>
          <thead><tr><th>{t('Name')}</th><th>{t('Kind')}</th><th>{t('Seen')}</th><th>{t('Fields')}</th></tr></thead>
          <tbody>{items.map((item) => <Difference key={`${item.kind} ${item.id} ${item.action}`} item={item} />)}</tbody>
        </table>
      </div>
      {more > 0 && <p class="muted">{t('and {n} more', { n: more })}</p>}
    </div>
  );
}

function Difference({ item }: { item: Change }) {
  return (
    <tr>
      <td>{item.name || item.id}</td><td>{kindText(item.kind)}</td><td>{t(actions[item.action])}</td>
      <td>{item.action === 'updated' ? <FieldLines fields={item.fields} /> : '–'}</td>
    </tr>
  );
}
