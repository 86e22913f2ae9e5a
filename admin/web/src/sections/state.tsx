// The state of an import, a poll, a publication, what a policy watches: colour, sign and word together.
import { t, translated, type Text } from '../i18n/index.ts';
import { Icon, type IconName } from '../ui/icons.tsx';

type Kind = 'good' | 'bad' | 'busy' | 'waiting';
const known: Record<string, { kind: Kind; text: Text }> = {
  success: { kind: 'good', text: 'Success' },
  complete: { kind: 'good', text: 'Complete' },
  warnings: { kind: 'waiting', text: 'Complete with warnings' },
  in_progress: { kind: 'busy', text: 'Importing' },
  completed: { kind: 'good', text: 'Complete' },
  connected: { kind: 'good', text: 'Connected' },
  ready: { kind: 'good', text: 'Ready' },
  failed: { kind: 'bad', text: 'Failed' },
  failure: { kind: 'bad', text: 'Failed' },
  aborted: { kind: 'bad', text: 'Aborted' },
  refused: { kind: 'bad', text: 'Refused' },
  running: { kind: 'busy', text: 'Running' },
  importing: { kind: 'busy', text: 'Importing' },
  polling: { kind: 'busy', text: 'Polling' },
  polled: { kind: 'busy', text: 'Polled' },
  pending: { kind: 'waiting', text: 'Pending' },
  queued: { kind: 'waiting', text: 'Pending' },
  held: { kind: 'waiting', text: 'Held' },
  working: { kind: 'good', text: 'Working' },
  failing: { kind: 'bad', text: 'Failing' },
  paused: { kind: 'bad', text: 'Paused' },
  inactive: { kind: 'waiting', text: 'Inactive' },
  taken: { kind: 'good', text: 'Taken' },
  below: { kind: 'bad', text: 'Below policy' },
  undecided: { kind: 'waiting', text: 'Undecided' },
  met: { kind: 'good', text: 'Met' },
};
const icons: Record<Kind, IconName> = { good: 'check', bad: 'cut', busy: 'refresh', waiting: 'clock' };

export function stateText(value: string): string {
  const state = known[value.toLowerCase()];
  return state ? t(state.text) : translated(value);
}

export function State({ value }: { value: string }) {
  const kind = known[value.toLowerCase()]?.kind;
  return <span class={kind ? `state ${kind}` : 'state'}>{kind && <Icon name={icons[kind]} />}{stateText(value)}</span>;
}
