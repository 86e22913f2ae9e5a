// The map at any past point, step by step or as a film, and the difference between two points.
import type { PointInTime } from '../../generated/api.ts';
import { number, t, time } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { causeText } from '../sections/transactions.ts';
import type { MapModel } from './model.ts';
import { changeStyles } from './styles.ts';

export function TimeLine({ model }: { model: MapModel }) {
  const { value: points } = model.points;
  const last = points.length - 1;
  const place = model.point.value ?? last;
  const point = points[place];
  if (last < 0) {
    return <section class="time-line" aria-label={t('Time')}><p class="muted">{t('No changes are known yet.')}</p></section>;
  }
  return (
    <section class="time-line" aria-label={t('Time')}>
      <div class="time-controls">
        <button type="button" aria-label={model.playing.value ? t('Pause') : t('Play')} onClick={() => { model.playing.value = !model.playing.value; }}>
          <Icon name={model.playing.value ? 'pause' : 'play'} />
        </button>
        <button type="button" aria-label={t('Step back')} disabled={place <= 0} onClick={() => void model.goTo(place - 1)}><Icon name="back" /></button>
        <input type="range" min={Math.min(0, place)} max={last} step={1} value={place} list="netml-points" aria-label={t('Point in time')}
          aria-valuetext={point ? `${time(point.time)}, ${point.text}` : t('Before the first change')}
          onInput={(event) => void model.goTo(Number(event.currentTarget.value))} />
        <button type="button" aria-label={t('Step forward')} disabled={place >= last} onClick={() => void model.goTo(place + 1)}><Icon name="next" /></button>
        <button type="button" disabled={model.point.value === null} onClick={() => void model.goTo(null)}>{t('Now')}</button>
        <button type="button" aria-label={t('Close')} class="quiet" onClick={() => model.openPanel('time')}><Icon name="close" /></button>
      </div>
      {point ? <About point={point} step={place + 1} steps={points.length} />
        : <p class="point" role="status"><strong>{t('Before the first change')}</strong></p>}
      {point && <Compare model={model} place={place} />}
    </section>
  );
}

function About({ point, step, steps }: { point: PointInTime; step: number; steps: number }) {
  const { added, removed, changed } = point;
  return (
    <p class="point" role="status">
      <strong>{time(point.time)}</strong> <span class="muted">{number(step)}/{number(steps)}</span> {causeText({ cause: point.text })}
      <span class="counts">
        <span class="added">+{number(added.nodes + added.links)}</span>
        <span class="removed">−{number(removed.nodes + removed.links)}</span>
        <span class="changed">~{number(changed)}</span>
      </span>
    </p>
  );
}

function Compare({ model, place }: { model: MapModel; place: number }) {
  const { value: base } = model.base;
  const from = base === null ? undefined : model.points.value[base];
  if (!from) {
    return (
      <p class="compare">
        <button type="button" class="small" onClick={() => void model.compareWith(place)}>{t('Compare other points in time with this one')}</button>
        <button type="button" class="small" disabled={place === 0} onClick={() => void model.compareWith(Math.max(0, place - 1))}>
          {t('Compare with the step before')}
        </button>
      </p>
    );
  }
  const { value: difference } = model.difference;
  const { added, removed, changed } = changeStyles(model.dark.value);
  const count = (kind: 'added' | 'removed' | 'changed') =>
    (difference ? difference.nodes[kind].length + difference.links[kind].length : 0);
  return (
    <p class="compare" role="status">
      <span>{t('Compared with {time}', { time: time(from.time) })}</span>
      <Key colour={added.colour} text={t('{n} added', { n: count('added') })} />
      <Key colour={removed.colour} text={t('{n} removed', { n: count('removed') })} dashes={removed.dashes} />
      <Key colour={changed.colour} text={t('{n} changed', { n: count('changed') })} dashes={changed.dashes} />
      <button type="button" class="small" onClick={() => void model.compareWith(null)}>{t('End the comparison')}</button>
    </p>
  );
}

// `node`: with the dot of one, which looks alike.
export function Key({ colour, text, dashes, node }: { colour: string; text: string; dashes?: number[] | undefined; node?: boolean }) {
  return (
    <span class="key-line">
      <svg viewBox="0 0 24 10" aria-hidden="true">
        <path d="M1 5h22" stroke={colour} stroke-width="3.5" stroke-dasharray={dashes?.join(' ')} />
        {node && <circle cx="12" cy="5" r="4.5" fill={colour} />}
      </svg>
      {text}
    </span>
  );
}
