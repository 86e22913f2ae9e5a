// The map with everything around it: tool bar, panels, drawer, time line. The page at / and the
// administration's start page show it, and foreign pages embed it.
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t, type Text } from '../i18n/index.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { saveFile } from '../ui/save_file.ts';
import { Chart, type ChartOptions } from './chart.ts';
import { Drawer } from './drawer.tsx';
import { FailurePanel } from './failure_panel.tsx';
import { Foot } from './foot.tsx';
import { FilterPanel } from './filter_panel.tsx';
import { Legend } from './legend.tsx';
import { ListPanel } from './list_panel.tsx';
import type { MapModel, Panel } from './model.ts';
import { OwnersPanel, RensPanel } from './owners_panel.tsx';
import { savePicture } from './picture.ts';
import { SchematicNote } from './schematic/note.tsx';
import { SearchPanel } from './search_panel.tsx';
import { TimeLine } from './time_line.tsx';
import './map.css';

interface Props {
  model: MapModel;
  options: ChartOptions;
  editing?: boolean; // links to the forms of records
  onChart?: (chart: Chart) => void;
}

const tools: { panel: Panel; icon: IconName; label: Text }[] = [
  { panel: 'search', icon: 'search', label: 'Search' },
  { panel: 'owners', icon: 'institution', label: 'Owners' },
  { panel: 'rens', icon: 'star', label: 'Research and education networks' },
  { panel: 'filter', icon: 'filter', label: 'Filter' },
  { panel: 'list', icon: 'list', label: 'List' },
  { panel: 'time', icon: 'history', label: 'Time' },
  { panel: 'failure', icon: 'cut', label: 'What if' },
];

// Of any map: what the window shows, and what is kept of it.
export function ViewButtons({ chart, frame }: { chart: Chart | null; frame: RefObject<HTMLElement | null> }) {
  const toggleFull = () => void (document.fullscreenElement ? document.exitFullscreen() : frame.current!.requestFullscreen());
  const saveSvg = () => saveFile(new Blob([chart!.paintSvg()], { type: 'image/svg+xml' }), 'map.svg');
  return (
    <>
      <button type="button" title={t('Show everything')} aria-label={t('Show everything')} onClick={() => chart?.showAll()}>
        <Icon name="map" />
      </button>
      {document.fullscreenEnabled && (
        <button type="button" title={t('Full screen')} aria-label={t('Full screen')} onClick={toggleFull}><Icon name="full" /></button>
      )}
      {chart?.hasPicture && (
        <>
          <button type="button" title={t('Save as a picture')} aria-label={t('Save as a picture')}
            onClick={() => void savePicture(chart.paintPicture(), 'map.png')}>
            <Icon name="download" />
          </button>
          <button type="button" title={t('Save as SVG')} aria-label={t('Save as SVG')} onClick={saveSvg}><Icon name="vector" /></button>
        </>
      )}
    </>
  );
}

export function MapView({ model, options, editing, onChart }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const chart = useSignal<Chart | null>(null);
  useEffect(() => {
    const made = new Chart(element.current!, model, options);
    chart.value = made;
    onChart?.(made);
    return () => made.dispose();
  }, []);
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (model.selection.value) model.select(null);
    else model.openPanel(null);
  };
  const frame = useRef<HTMLDivElement>(null);
  const filtered = model.filter.value.nodeTags.size + model.filter.value.linkTags.size > 0
    || model.filter.value.topology !== null;
  return (
    <div ref={frame} class={classOf(model)} onKeyDown={close}>
      <div class="tool-bar" role="toolbar" aria-label={t('Map tools')} aria-orientation="vertical">
        {tools.map(({ panel, icon, label }) => (
          <button key={panel} type="button" title={t(label)} aria-label={t(label)} aria-pressed={model.panel.value === panel}
            class={panel === 'filter' && filtered ? 'marked' : ''} onClick={() => model.openPanel(panel)}>
            <Icon name={icon} />
          </button>
        ))}
        {model.schematic.isPossible && <SchematicButton model={model} />}
        <ViewButtons chart={chart.value} frame={frame} />
      </div>
      <div ref={element} class="chart" role="application" aria-label={t('Map. Arrow keys move it, plus and minus zoom. The list has the same content.')} />
      {chart.value && <Foot chart={chart.value} />}
      {model.schematic.isShown.value && <SchematicNote model={model} />}
      <Legend model={model} />
      {chart.value && <PanelOf model={model} chart={chart.value} />}
      <Drawer model={model} chart={chart.value} editing={editing ?? false} />
      {model.panel.value === 'time' && <TimeLine model={model} />}
      {model.panel.value === 'failure' && <p class="simulated" role="status">{t('Simulated')}</p>}
      <Progress model={model} />
    </div>
  );
}

const classOf = ({ dark, schematic }: MapModel): string =>
  ['netml-map', dark.value ? 'dark' : '', schematic.isShown.value ? 'schematic' : ''].filter(Boolean).join(' ');

function SchematicButton({ model: { schematic } }: { model: MapModel }) {
  return (
    <button type="button" title={t('Schematic view')} aria-label={t('Schematic view')} aria-pressed={schematic.isShown.value}
      onClick={() => { schematic.isShown.value = !schematic.isShown.value; }}>
      <Icon name="topology" />
    </button>
  );
}

function PanelOf({ model, chart }: { model: MapModel; chart: Chart }) {
  switch (model.panel.value) {
    case 'search': return <SearchPanel model={model} chart={chart} />;
    case 'owners': return <OwnersPanel model={model} chart={chart} />;
    case 'rens': return <RensPanel model={model} chart={chart} />;
    case 'filter': return <FilterPanel model={model} />;
    case 'list': return <ListPanel model={model} chart={chart} />;
    case 'failure': return <FailurePanel model={model} chart={chart} />;
    default: return null;
  }
}

const unknownTime = new Set([400, 404, 409]); // of a point in time that cannot be shown

function UnknownTime({ model, at }: { model: MapModel; at: string }) {
  return (
    <div class="map-problem" role="alert">
      <span>
        <strong>{t('“{at}” is no point in time of this map.', { at })}</strong>{' '}
        {t('One is an LSN, a time, a day, import:NUMBER or the name of a publication.')}
      </span>
      <button type="button" onClick={() => void model.showNow()}>{t('Show the map as it is now')}</button>
    </div>
  );
}

// What a map is at, and what went wrong.
export function Progress({ model }: { model: MapModel }) {
  return (
    <>
      <Problem model={model} />
      <p class="hidden" aria-live="polite">{model.busy.value ? t('Loading …') : ''}</p>
      {model.busy.value && <div class="working-line" />}
    </>
  );
}

function Problem({ model }: { model: MapModel }) {
  const { value: problem } = model.problem;
  if (!problem) return null;
  if (model.named.value !== null && unknownTime.has(problem.status)) return <UnknownTime model={model} at={model.named.value} />;
  const text = problem.status === 401 ? t('This page must be listed under Allowed Origins of the node.')
    : problem.code === 'map-disabled' ? t('The map is switched off.')
      : problem.code === 'unreachable' ? t('The server cannot be reached.')
        : problem.code === 'no-names' ? t('The names on the map have not come.') : problem.message;
  return (
    <div class="map-problem" role="alert">
      <span>{text}</span>
      {problem.code === 'no-names' && <button type="button" onClick={() => void model.load()}>{t('Try again')}</button>}
      <button type="button" class="quiet" aria-label={t('Dismiss')} onClick={() => { model.problem.value = null; }}><Icon name="close" /></button>
    </div>
  );
}
