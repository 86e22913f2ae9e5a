// Leaving a page with changes that are not saved asks first, and says which they are.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { keeper } from '../app/router.ts';
import { t } from '../i18n/index.ts';
import { Confirm } from './dialog.tsx';

type Changes = () => string[]; // names of what would be lost; none: nothing

let changes: Changes = () => [];
const leaving = signal<{ lost: string[]; go: () => void } | null>(null);

keeper.keeps = (go) => {
  const lost = changes();
  if (lost.length > 0) leaving.value = { lost, go };
  return lost.length > 0;
};

// For as long as the page is shown. The browser itself asks before its tab is closed.
export function useUnsaved(ofPage: Changes): void {
  const newest = useRef(ofPage);
  newest.current = ofPage;
  useEffect(() => {
    const mine: Changes = () => newest.current();
    const warn = (event: BeforeUnloadEvent) => { if (mine().length > 0) event.preventDefault(); };
    changes = mine;
    addEventListener('beforeunload', warn);
    return () => {
      if (changes === mine) changes = () => [];
      removeEventListener('beforeunload', warn);
    };
  }, []);
}

export function LeaveDialog() {
  if (!leaving.value) return null;
  const { lost, go } = leaving.value;
  const leave = () => {
    changes = () => [];
    leaving.value = null;
    go();
  };
  return (
    <Confirm title={t('Leave without saving?')} action={t('Leave')} danger onConfirm={leave} onClose={() => { leaving.value = null; }}>
      <p>{t('What you have changed here would be lost:')}</p>
      <ul class="plain">{lost.map((name) => <li key={name}><strong>{name}</strong></li>)}</ul>
    </Confirm>
  );
}
