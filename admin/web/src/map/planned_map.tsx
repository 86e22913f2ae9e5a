// What comes, goes and changes, over the rest of the map: beside the list of a change that is not done
// yet. It has no panels; what is to be known of an element stands in the list.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { PlannedMap } from '../../generated/api.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { ChangeLegend } from './change_legend.tsx';
import { Foot } from './foot.tsx';
import { Progress, ViewButtons } from './map_view.tsx';
import { MapModel } from './model.ts';
import { useChart } from './use_chart.ts';
import './map.css';

export interface PlannedMapProps {
  of: unknown; // says what is planned; another one is loaded anew
  load: () => Promise<PlannedMap>;
}

export function PlannedMapView({ of, load }: PlannedMapProps) {
  const model = useMemo(() => new MapModel({ endpoint: '/' }), []);
  const frame = useRef<HTMLDivElement>(null);
  const element = useRef<HTMLDivElement>(null);
  const chart = useChart(element, model);
  useEffect(() => {
    if (chart) void model.showPlanned(load).then(() => chart.showStyled(false));
  }, [of, chart]);
  return (
    <div ref={frame} class={model.dark.value ? 'netml-map dark' : 'netml-map'}>
      <div class="tool-bar" role="toolbar" aria-label={t('Map tools')} aria-orientation="vertical">
        <button type="button" title={t('Show what changes')} aria-label={t('Show what changes')} onClick={() => chart?.showStyled()}>
          <Icon name="zoom" />
        </button>
        <ViewButtons chart={chart} frame={frame} />
      </div>
      <div ref={element} class="chart" role="application" aria-label={t('Map of what would change. Arrow keys move it, plus and minus zoom. The list has the same content.')} />
      {chart && <Foot chart={chart} />}
      <ChangeLegend model={model} />
      <Progress model={model} />
    </div>
  );
}
