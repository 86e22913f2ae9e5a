// The changes of the map as they come, newest first: from now on, or from the place on that the address
// names (?after=PLACE).
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ChangeLine } from '../../generated/api.ts';
import { query } from '../app/api.ts';
import { ChangeStream, type StreamState } from '../app/change_stream.ts';
import { navigate, place } from '../app/router.ts';
import type { Choice, Section } from '../app/section.ts';
import { t, time, type Text } from '../i18n/index.ts';
import { Filters } from '../ui/filters.tsx';
import { Heading } from '../ui/heading.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { actionText } from './changes_list.tsx';
import { FieldLines } from './field_lines.tsx';
import { kindText } from './kinds.ts';
import { changeOf, keptMost, noChanges, resetFeed, wantedOf, withChanges, type Feed, type LiveChange } from './live_feed.ts';
import { causeChoices, causeText } from './transactions.ts';

const every = 250; // milliseconds in which what comes is gathered, so that an import does not draw the list a thousand times
const shownMost = 200;

const kindChoices: Choice[] = [
  { value: 'Topology', label: 'Topology' }, { value: 'Institution', label: 'Institution' },
  { value: 'Node', label: 'Node' }, { value: 'Link', label: 'Link' },
];
const filters = [{ name: 'kind', label: 'Kind' as Text, choices: kindChoices }, { name: 'cause', label: 'Why' as Text, choices: causeChoices }];

type State = StreamState | 'paused';
const states: Record<State, { text: Text; icon: IconName; tone: string }> = {
  connecting: { text: 'Connecting …', icon: 'refresh', tone: 'waiting' },
  connected: { text: 'Connected', icon: 'check', tone: 'good' },
  lost: { text: 'Connection lost. Trying again …', icon: 'cut', tone: 'bad' },
  paused: { text: 'Paused', icon: 'pause', tone: 'waiting' },
};

function LiveChanges() {
  const values = Object.fromEntries(new URLSearchParams(place.value.search));
  const { feed, state, problem, pause } = useFeed(values.after ?? null);
  const filter = (name: string, value: string | null) => navigate(place.value.path + query({ ...values, [name]: value }), 'replace');
  const wanted = wantedOf(feed.changes, values);
  const isPaused = state === 'paused';
  const { text, icon, tone } = states[state];
  return (
    <>
      <Heading title={t('Live changes')} icon="play">
        <span class={`state ${tone}`} role="status"><Icon name={icon} />{t(text)}</span>
        <button type="button" onClick={pause}><Icon name={isPaused ? 'play' : 'pause'} />{t(isPaused ? 'Go on' : 'Pause')}</button>
        <a class="button" href="/admin/activity/"><Icon name="history" />{t('All activity')}</a>
      </Heading>
      {feed.isReset && (
        <p class="hint" role="alert">
          {t('The history of this node is another one now, as after a restore of a backup. What was listed here is void; the list begins anew.')}
        </p>
      )}
      {problem && <p class="error" role="alert">{t('The stream broke off: {message}', { message: problem })}</p>}
      <Filters list={{ columns: [], filters }} values={values} onChange={filter} />
      {wanted.length > 0 ? <Table changes={wanted.slice(0, shownMost)} />
        : <p class="empty">{feed.changes.length > 0 ? t('No match.') : t('Waiting for changes. Those before are listed under Activity.')}</p>}
      {(feed.isFull || wanted.length > shownMost) && <p class="muted">{t('Of the newest {kept} changes at most {n} are listed.', { kept: keptMost, n: shownMost })}</p>}
    </>
  );
}

// What came since the page was opened, and the connection. Nothing is read while it is paused; it goes on
// from where it stood.
function useFeed(after: string | null) {
  const feed = useSignal<Feed>(noChanges);
  const state = useSignal<State>('connecting');
  const problem = useSignal<string | null>(null);
  const came = useRef<LiveChange[]>([]); // and is not shown yet
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const show = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    feed.value = withChanges(feed.value, came.current.splice(0));
  };
  const take = (type: ChangeLine['type'], line: Omit<ChangeLine, 'type'>) => {
    if (type === 'error') problem.value = line.error?.message ?? '';
    if (type === 'stream' || type === 'reset') problem.value = null;
    if (type === 'reset') {
      came.current = [];
      feed.value = resetFeed;
    }
    if (type !== 'change') return;
    came.current.push(changeOf(line));
    timer.current ??= setTimeout(show, every);
  };
  const stream = useRef<ChangeStream | null>(null);
  stream.current ??= new ChangeStream({ state: (next) => { state.value = next; }, take }, after);
  useEffect(() => {
    stream.current!.start();
    return () => {
      stream.current!.stop();
      clearTimeout(timer.current);
    };
  }, []);
  const pause = () => {
    if (state.value === 'paused') return stream.current!.start();
    stream.current!.stop();
    show();
    state.value = 'paused';
  };
  return { feed: feed.value, state: state.value, problem: problem.value, pause };
}

function Table({ changes }: { changes: LiveChange[] }) {
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={t('Live changes')}>
      <table class="live">
        <thead>
          <tr><th>{t('Time')}</th><th>{t('What')}</th><th>{t('NetML ID')}</th><th>{t('Fields')}</th><th>{t('Why')}</th><th>{t('LSN')}</th></tr>
        </thead>
        <tbody>{changes.map((change) => <OneChange key={`${change.lsn} ${change.change}`} change={change} />)}</tbody>
      </table>
    </div>
  );
}

function OneChange({ change: { lsn, time: when, cause, kind, id, record, action, fields } }: { change: LiveChange }) {
  return (
    <tr class={action}>
      <td class="narrow">{time(when)}</td>
      <td class="narrow"><span class="action">{t(actionText[action])}</span>: {kindText(kind)}</td>
      <td><a href={`/admin/history/${record}/`}>{id}</a></td>
      <td>
        {action === 'updated'
          ? <FieldLines fields={fields} /> : nameIn(fields) || '–'}
      </td>
      <td class="narrow">{causeText({ cause })}</td>
      <td class="narrow"><a href={`/admin/activity/${lsn}/`}>{lsn}</a></td>
    </tr>
  );
}

// What one that is new or gone is called.
function nameIn(fields: LiveChange['fields']): string {
  const name = fields.find(({ field }) => field === 'name');
  return String(name?.after ?? name?.before ?? '');
}

export const liveChanges: Section = {
  key: 'changes', title: 'Live changes', singular: 'Live changes', icon: 'play', page: LiveChanges,
};
