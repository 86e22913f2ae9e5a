// Whether peers can collect the map: a banner on every page while they cannot, with the way to mend
// it. /status/ tells, which keeps no session in use, so it may be asked again and again.
import { useEffect } from 'preact/hooks';
import type { ExportState } from '../../generated/api.ts';
import { t, type Text } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { mayAs, written } from './api.ts';
import { useLoaded } from './loaded.tsx';
import { place } from './router.ts';

type When = 'now' | 'foretold';
const noOwner: Record<When, { one: Text; several: Text }> = {
  now: { one: 'the topology “{name}” has no owner', several: 'the topology “{name}” and {n} others have no owner' },
  foretold: { one: 'the topology “{name}” would have no owner', several: 'the topology “{name}” and {n} others would have no owner' },
};

// "the topology “GARR” has no owner"
export function exportReason({ empty, problems = [], problem_count: count = 0 }: ExportState, when: When = 'now'): string {
  const first = problems[0];
  if (first?.topology) {
    const { name } = first.topology;
    return count === 1 ? t(noOwner[when].one, { name }) : t(noOwner[when].several, { name, n: count - 1 });
  }
  if (empty) return t('there is no map yet');
  return first?.error_type === 'NothingPublished' ? t('nothing has been published')
    : t('not exactly one topology is marked as main');
}

function Remedy({ empty, problems = [] }: ExportState) {
  const first = problems[0];
  if (!mayAs('editor') || !first) return null;
  if (first.topology) {
    const { number, name } = first.topology;
    return <a href={`/admin/topologies/${number}/`}>{t('Give {name} an owner', { name })}</a>;
  }
  if (empty) return <a href="/admin/file-imports/">{t('Import a map')}</a>;
  if (first.error_type === 'NothingPublished') return <a href="/admin/publications/add/">{t('Publish the map')}</a>;
  return <a href="/admin/topologies/">{t('Mark a topology as main')}</a>;
}

async function load(): Promise<ExportState | null> {
  try {
    const answer = await fetch('/status/', { headers: { Accept: 'application/json' }, credentials: 'omit' });
    return ((await answer.json()) as { export?: ExportState }).export ?? null;
  } catch {
    return null; // whoever asks for data tells that the server is gone
  }
}

const askAgain = 60_000; // milliseconds: somebody else, or a poll, may have changed the map

export function ExportBanner() {
  const { value: state, reload } = useLoaded(`${place.value.path} ${written.value}`, load);
  useEffect(() => {
    const timer = setInterval(() => void reload(), askAgain);
    return () => clearInterval(timer);
  }, []);
  if (!state || state.ok) return null;
  return (
    <p class={state.empty ? 'banner' : 'banner bad'} role="alert">
      <Icon name="cut" /> <strong>{t('Export fails: {reason}.', { reason: exportReason(state) })}</strong>{' '}
      {t('No peer can collect this map until that is mended.')} <Remedy {...state} />
    </p>
  );
}
