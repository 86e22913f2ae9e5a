// What the arrow keys do in a list of options under a text field, one of which is the active one.
import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

// Whether the key was one of them.
export function stepWithKey(event: KeyboardEvent, active: Signal<number>, count: number): boolean {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return false;
  event.preventDefault();
  const step = event.key === 'ArrowDown' ? 1 : -1;
  const wrapped = Math.max(1, count);
  active.value = (active.value + step + wrapped) % wrapped;
  return true;
}

export const optionId = (list: string, index: number) => `${list}-${index}`;

export function useActiveInView(list: string, active: number): void {
  useEffect(() => {
    document.getElementById(optionId(list, active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);
}
