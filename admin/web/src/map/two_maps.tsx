// Two maps side by side that move together, such as all of the map and what somebody sees of it. They
// have no panels: their elements may have numbers that nobody else can look up.
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { MapColumns } from '../../generated/api.ts';
import { errorText } from '../app/api.ts';
import { t } from '../i18n/index.ts';
import type { Chart } from './chart.ts';
import { MapError } from './client.ts';
import { columnsOfJson } from './columns.ts';
import { Foot } from './foot.tsx';
import { Progress, ViewButtons } from './map_view.tsx';
import { MapModel } from './model.ts';
import { moveTogether } from './together.ts';
import { useChart } from './use_chart.ts';
import './map.css';

export interface SideProps {
  title: string;
  of: unknown; // says what is shown; another one is loaded anew
  load: () => Promise<MapColumns>;
}

export interface TwoMapsProps {
  left: SideProps;
  right: SideProps;
}

export function TwoMaps({ left, right }: TwoMapsProps) {
  const one = useSignal<Chart | null>(null);
  const other = useSignal<Chart | null>(null);
  useEffect(() => {
    if (one.value && other.value) return moveTogether(one.value.map, other.value.map);
    return undefined;
  }, [one.value, other.value]);
  return (
    <div class="two-maps">
      <Side {...left} onChart={(chart) => { one.value = chart; }} onFirst={(chart) => chart.showAll(false)} />
      <Side {...right} onChart={(chart) => { other.value = chart; }} />
    </div>
  );
}

class StillModel extends MapModel {
  override pick(): void { /* nothing is opened */ }
}

interface SideEvents {
  onChart: (chart: Chart) => void;
  onFirst?: (chart: Chart) => void; // it shows a map for the first time
}

function Side({ title, of, load, onChart, onFirst }: SideProps & SideEvents) {
  const model = useMemo(() => new StillModel({ endpoint: '/' }), []);
  const frame = useRef<HTMLDivElement>(null);
  const element = useRef<HTMLDivElement>(null);
  const chart = useChart(element, model);
  useEffect(() => { if (chart) onChart(chart); }, [chart]);
  useEffect(() => {
    if (!chart) return undefined;
    let isNewest = true; // an older answer may come later
    model.busy.value = true;
    const show = (columns: MapColumns) => {
      if (!isNewest) return;
      const isFirst = model.columns.value === null;
      model.columns.value = columnsOfJson(columns);
      model.problem.value = null;
      if (isFirst) onFirst?.(chart);
    };
    const fail = (error: unknown) => {
      if (isNewest) model.problem.value = new MapError(0, 'unknown', errorText(error));
    };
    void load().then(show, fail).finally(() => { if (isNewest) model.busy.value = false; });
    return () => { isNewest = false; };
  }, [of, chart]);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <SideMap title={title} model={model} chart={chart} frame={frame} element={element} />
    </figure>
  );
}

interface SideMapProps {
  title: string;
  model: MapModel;
  chart: Chart | null;
  frame: RefObject<HTMLDivElement | null>;
  element: RefObject<HTMLDivElement | null>;
}

function SideMap({ title, model, chart, frame, element }: SideMapProps) {
  return (
    <div ref={frame} class={model.dark.value ? 'netml-map dark' : 'netml-map'}>
      <div class="tool-bar" role="toolbar" aria-label={`${t('Map tools')}: ${title}`} aria-orientation="vertical">
        <ViewButtons chart={chart} frame={frame} />
      </div>
      <div ref={element} class="chart" role="application" aria-label={t('Map: {what}. Arrow keys move it, plus and minus zoom; the map beside it follows.', { what: title })} />
      {chart && <Foot chart={chart} />}
      <Progress model={model} />
    </div>
  );
}
