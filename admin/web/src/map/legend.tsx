// What the colours and widths of the map mean. Each network, owner or tag is a button that shows it
// alone, or beside others that are chosen already.
import { useSignal } from '@preact/signals';
import { number, t, type Text } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { capacityClasses } from './capacity.ts';
import { ChangeLegend, changeLines } from './change_legend.tsx';
import { groupings, noGroup, type Group, type GroupBy, type GroupCount } from './grouping.ts';
import type { MapModel } from './model.ts';
import type { LegendLine } from './picture.ts';
import { RoutesLegend, routeLines } from './routes_legend.tsx';

const titles: Record<GroupBy, Text> = { topology: 'Topology', owner: 'Owner', tag: 'Tag' };
const rowsMost = 60;
const isNarrow = () => matchMedia('(max-width: 40rem)').matches;

export function Legend({ model }: { model: MapModel }) {
  const open = useSignal(!isNarrow());
  if (model.about.value === 'changes') return <ChangeLegend model={model} />;
  if (model.about.value === 'routes') return <RoutesLegend model={model} />;
  if (!model.grouping.value || model.about.value) return null;
  return (
    <section class="map-legend" aria-label={t('Legend')}>
      <header>
        <button type="button" class="quiet" aria-expanded={open.value} onClick={() => { open.value = !open.value; }}>
          <Icon name={open.value ? 'down' : 'list'} />{t('Legend')}
        </button>
        {open.value && (
          <select aria-label={t('Colour by')} value={model.groupBy.value} onChange={(event) => model.setGroupBy(event.currentTarget.value as GroupBy)}>
            {groupings.map((by) => <option key={by} value={by}>{t(titles[by])}</option>)}
          </select>
        )}
      </header>
      {open.value && <Groups model={model} />}
      {open.value && <Capacities model={model} />}
    </section>
  );
}

interface Row {
  place: number; // among the groups
  group: Group;
  count: GroupCount;
  isHere: boolean; // in view, or chosen
}

const nameOf = (group: Group) => (group.key === noGroup ? t('Others') : group.name);

// The same for a picture: what is in view.
export function legendLines(model: MapModel, textColour: string): LegendLine[] {
  if (model.about.value === 'changes') return changeLines(model);
  if (model.about.value === 'routes') return routeLines(model);
  if (!model.grouping.value || model.about.value) return [];
  const { groups: chosen } = model.filter.value;
  const groups = rowsOf(model).filter(({ group, isHere }) => isHere && (chosen.size === 0 || chosen.has(group.key)))
    .map(({ group }) => ({ text: nameOf(group), colour: model.dark.value ? group.colour.dark : group.colour.light, width: 2.5, dot: true }));
  const { classes, isDashed } = capacitiesOf(model);
  const widths = classes.map((place) => ({ text: capacityText(place), colour: textColour, width: capacityClasses[place]!.width }));
  return [...groups, ...widths, ...(isDashed ? [{ text: t('Planned or ended'), colour: textColour, width: 2.2, dashes: [6, 4] }] : [])];
}

function rowsOf(model: MapModel): Row[] {
  const { groups } = model.grouping.value!;
  const counts = model.groupCounts.value;
  const { value: here } = model.groupsInView;
  const { groups: chosen } = model.filter.value;
  return groups.map((group, place) => ({ place, group, count: counts[place]!, isHere: here.has(place) || chosen.has(group.key) }))
    .filter(({ count }) => count.nodes + count.links > 0)
    .sort((a, b) => b.count.nodes + b.count.links - a.count.nodes - a.count.links);
}

// Those in view. While some are chosen alone all stay, so that another can be chosen, too.
function Groups({ model }: { model: MapModel }) {
  const all = useSignal(false);
  const { groups: chosen } = model.filter.value;
  const rows = rowsOf(model);
  const isWhole = all.value || chosen.size > 0;
  const shown = (isWhole ? rows : rows.filter(({ isHere }) => isHere)).slice(0, rowsMost);
  return (
    <>
      <ul class="plain">
        {shown.map((row) => <GroupRow key={row.place} model={model} row={row} isChosen={chosen.has(row.group.key)} />)}
      </ul>
      {!isWhole && rows.length > shown.length && (
        <button type="button" class="small quiet" onClick={() => { all.value = true; }}>{t('and {n} more', { n: rows.length - shown.length })}</button>
      )}
      {isWhole && rows.length > shown.length && <p class="muted">{t('and {n} more', { n: rows.length - shown.length })}</p>}
      {chosen.size > 0 && (
        <button type="button" class="small" onClick={() => model.setFilter({ groups: new Set() })}>{t('Show all of them')}</button>
      )}
    </>
  );
}

function GroupRow({ model, row: { place, group, count }, isChosen }: { model: MapModel; row: Row; isChosen: boolean }) {
  const point = () => { model.emphasised.value = place; };
  const leave = () => { model.emphasised.value = null; };
  const colour = model.dark.value ? group.colour.dark : group.colour.light;
  const isFaint = model.filter.value.groups.size > 0 && !isChosen;
  return (
    <li>
      <button type="button" class={isFaint ? 'row faint' : 'row'} aria-pressed={isChosen} onClick={() => model.toggleGroup(group.key)}
        onMouseEnter={point} onMouseLeave={leave} onFocus={point} onBlur={leave}
        title={t('{nodes} nodes, {links} links', { nodes: number(count.nodes), links: number(count.links) })}>
        <svg viewBox="0 0 22 10" aria-hidden="true">
          <path d="M1 5h20" stroke={colour} stroke-width="2.5" /><circle cx="11" cy="5" r="4" fill={colour} />
        </svg>
        <span>{nameOf(group)}</span>
        <small>{number(count.nodes + count.links)}</small>
      </button>
    </li>
  );
}

const capacityText = (place: number) => (place === 0 ? t('Unknown capacity') : capacityClasses[place]!.text);

// The classes that links of the map have, none where no link says how fast it is.
function capacitiesOf(model: MapModel): { classes: number[]; isDashed: boolean } {
  const { value: scene } = model.scene;
  const present = new Uint8Array(capacityClasses.length);
  let isDashed = false;
  const links = scene?.mask.links ?? new Uint8Array(0);
  for (let link = 0; link < links.length; link++) {
    if (links[link] === 0) continue;
    present[scene!.styled.capacity[link]!] = 1;
    isDashed ||= scene!.styled.dashed[link] === 1;
  }
  const classes = [...present.keys()].filter((place) => present[place] === 1).reverse();
  return { classes: classes.some((place) => place > 0) ? classes : [], isDashed };
}

function Capacities({ model }: { model: MapModel }) {
  const { classes, isDashed } = capacitiesOf(model);
  if (!isDashed && classes.length === 0) return null;
  return (
    <div class="capacities">
      {classes.map((place) => <LineKey key={place} width={capacityClasses[place]!.width} text={capacityText(place)} />)}
      {isDashed && <LineKey width={2.2} dashes="6 4" text={t('Planned or ended')} />}
    </div>
  );
}

function LineKey({ width, dashes, text }: { width: number; dashes?: string; text: string }) {
  return (
    <span class="key-line">
      <svg viewBox="0 0 24 10" aria-hidden="true"><path d="M1 5h22" stroke="currentColor" stroke-width={width} stroke-dasharray={dashes} /></svg>
      {text}
    </span>
  );
}
