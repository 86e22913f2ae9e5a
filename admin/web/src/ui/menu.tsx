// A button that opens a panel below it: closed by Escape, and by a click anywhere else.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t, type Text } from '../i18n/index.ts';
import { Icon, type IconName } from './icons.tsx';

interface Props {
  label: Text;
  icon: IconName;
  children: ComponentChildren;
}

export function Menu({ label, icon, children }: Props) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onPress = ({ target }: Event) => {
      if (menu.current && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    document.addEventListener('pointerdown', onPress, true);
    return () => document.removeEventListener('pointerdown', onPress, true);
  }, []);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !menu.current?.open) return;
    event.stopPropagation(); // it is not meant for what lies around
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus(); // what had the focus goes
  };
  return (
    <details class="menu" ref={menu} onKeyDown={onKey}>
      <summary class="button small"><Icon name={icon} />{t(label)}</summary>
      <div class="panel">{children}</div>
    </details>
  );
}
