// Owners of what the map shows, and the research and education networks among them.
import { useSignal } from '@preact/signals';
import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { SearchInput } from '../ui/search_input.tsx';
import type { Chart } from './chart.ts';
import type { Details } from './client.ts';
import type { Columns } from './columns.ts';
import type { MapModel } from './model.ts';
import { PanelFrame } from './panel.tsx';

interface Props {
  model: MapModel;
  chart: Chart;
}

const byName = (names: string[]) => (a: number, b: number) => names[a]!.localeCompare(names[b]!);
const shownMax = 300;

export function OwnersPanel({ model, chart }: Props) {
  const words = useSignal('');
  const { value: columns } = model.columns;
  if (!columns) return null;
  const { institutions } = columns;
  const owning = new Set(columns.nodes.owners.distinct.flat());
  const wanted = words.value.trim().toLowerCase();
  const found = [...owning].filter((place) => institutions.name[place]!.toLowerCase().includes(wanted))
    .sort(byName(institutions.name));
  return (
    <PanelFrame model={model} title={t('Owners')}>
      <SearchInput label={t('Name')} value={words.value} onInput={(text) => { words.value = text; }} />
      <ul class="plain owners">
        {found.slice(0, shownMax).map((place) => (
          <Owner key={institutions.number[place]} model={model} chart={chart} columns={columns} place={place} />
        ))}
      </ul>
      {found.length > shownMax && <p class="muted">{t('and {n} more', { n: found.length - shownMax })}</p>}
    </PanelFrame>
  );
}

function Owner({ model, chart, columns, place }: Props & { columns: Columns; place: number }) {
  const details = useSignal<Details | null>(null);
  const { institutions, tags } = columns;
  const number = institutions.number[place]!;
  const name = institutions.name[place]!;
  const url = institutions.url[place];
  const open = () => {
    if (!details.value) void model.client.details('institutions', number, model.at).then((found) => { details.value = found; }, () => undefined);
  };
  return (
    <li>
      <details onToggle={open}>
        <summary><Icon name="institution" />{name}</summary>
        <p>{institutions.tags[place]!.map((tag) => <span key={tag} class="tag">{tags[tag]}</span>)}</p>
        {details.value?.description && <p>{details.value.description}</p>}
        {url && <WebLink url={url} />}
      </details>
      <button type="button" class="quiet" aria-label={t('Show the nodes of {name}', { name })}
        onClick={() => {
          model.selection.value = { kind: 'institutions', number };
          chart.show({ kind: 'institutions', number });
        }}>
        <Icon name="eye" />
      </button>
    </li>
  );
}

// Only web addresses become links: the text is data of others.
export function WebLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <p>{url}</p>;
  return <p><a href={url} target="_blank" rel="noopener noreferrer">{url.replace(/^https?:\/\//i, '').replace(/\/$/, '')}</a></p>;
}

const renTags = ['NREN', 'SREN', 'PREN'];

// In the group of the first of its tags that names one.
export function rensOf({ institutions, tags }: Pick<Columns, 'institutions' | 'tags'>): { tag: string; places: number[] }[] {
  const groups = renTags.map((tag) => ({ tag, places: [] as number[] }));
  institutions.tags.forEach((own, place) => {
    const first = own.map((tag) => tags[tag]!.toUpperCase()).find((tag) => renTags.includes(tag));
    groups.find(({ tag }) => tag === first)?.places.push(place);
  });
  for (const { places } of groups) places.sort(byName(institutions.name));
  return groups.filter(({ places }) => places.length > 0);
}

export function RensPanel({ model, chart }: Props) {
  const { value: columns } = model.columns;
  if (!columns) return null;
  const { institutions } = columns;
  const groups = rensOf(columns);
  return (
    <PanelFrame model={model} title={t('Research and education networks')}>
      {groups.length === 0 && <p class="muted">{t('Nothing here yet.')}</p>}
      {groups.map(({ tag, places }) => (
        <section key={tag}>
          <h3>{tag}</h3>
          <ul class="plain owners">
            {places.map((place) => {
              const name = institutions.short_name[place] || institutions.name[place]!;
              const latitude = institutions.latitude[place] ?? null;
              const longitude = institutions.longitude[place] ?? null;
              return (
                <li key={institutions.number[place]}>
                  <span>{name}<small>{latitude === null ? '' : `${latitude}, ${longitude}`}</small></span>
                  {latitude !== null && longitude !== null && (
                    <button type="button" class="quiet" aria-label={t('Zoom to {name}', { name })} onClick={() => chart.showPlace(latitude, longitude)}>
                      <Icon name="zoom" />
                    </button>
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </PanelFrame>
  );
}
