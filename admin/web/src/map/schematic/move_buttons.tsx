// Moves a node of the schematic view step by step: by keyboard, and where nothing can be dragged.
import { t, type Text } from '../../i18n/index.ts';
import type { Chart } from '../chart.ts';
import type { MapModel } from '../model.ts';

const stepPixels = 16;
const ways: { label: Text; arrow: string; x: number; y: number }[] = [
  { label: 'Move left', arrow: '←', x: -1, y: 0 }, { label: 'Move up', arrow: '↑', x: 0, y: -1 },
  { label: 'Move down', arrow: '↓', x: 0, y: 1 }, { label: 'Move right', arrow: '→', x: 1, y: 0 },
];

export function MoveButtons({ model: { schematic, network }, chart, number }: { model: MapModel; chart: Chart; number: number }) {
  const move = (x: number, y: number) => {
    const place = network.value?.nodeAt(number);
    if (!network.value || place === undefined) return;
    const step = stepPixels / (256 * 2 ** chart.map.getZoom());
    schematic.move(number, network.value.x[place]! + x * step, network.value.y[place]! + y * step);
    schematic.keep();
  };
  return (
    <div class="move-buttons" role="group" aria-label={t('Place in the schematic view')}>
      {ways.map(({ label, arrow, x, y }) => (
        <button key={label} type="button" title={t(label)} aria-label={t(label)} onClick={() => move(x, y)}>{arrow}</button>
      ))}
    </div>
  );
}
