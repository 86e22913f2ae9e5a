// The frame of a panel at the left side of the map.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import type { MapModel } from './model.ts';

export function PanelFrame({ model, title, children }: { model: MapModel; title: string; children: ComponentChildren }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const first = box.current?.querySelector<HTMLElement>('input, [data-first]') ?? box.current;
    first?.focus();
  }, []);
  return (
    <section ref={box} class="map-panel" aria-label={title} tabIndex={-1}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" aria-label={t('Close')} onClick={() => model.openPanel(null)}><Icon name="close" /></button>
      </header>
      <div class="panel-body" tabIndex={-1}>{children}</div>
    </section>
  );
}
