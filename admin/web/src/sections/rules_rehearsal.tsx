// What the rulesets of a file would have made of the history, import by import, as it is found out.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { RehearsalLine, RehearsedDifference, RehearsedImport } from '../../generated/api.ts';
import { documents, errorText, query } from '../app/api.ts';
import { t, type Text } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ChangesList } from './changes_list.tsx';
import { CountsOf } from './preview.tsx';
import { afterLine, differs, nothingYet, type State } from './rehearsal_lines.ts';
import { affected } from './transactions.ts';

export function RehearsalDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const since = useSignal('');
  const state = useSignal<State | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const start = () => void rehearse(file, since.value, state, stop);
  const running = state.value !== null && state.value.end === null && !state.value.problem;
  return (
    <Dialog title={`${t('Rehearse')}: ${file.name}`} wide onClose={onClose}>
      <form class="dialog-body" onSubmit={(event) => { event.preventDefault(); start(); }}>
        <p>{t('What these rules would have made of the imports since then. Nothing is changed.')}</p>
        <div class="field">
          <label for="rehearsal-since">{t('Since')}</label>
          <div class="control">
            <input id="rehearsal-since" type="date" required value={since.value} disabled={running}
              onInput={(event) => { since.value = event.currentTarget.value; }} />
          </div>
        </div>
        <button type="submit" class="primary" disabled={running}>{t('Rehearse')}</button>
        {state.value && <Rehearsal state={state.value} />}
      </form>
      <footer><button type="button" onClick={onClose}>{running ? t('Cancel') : t('Close')}</button></footer>
    </Dialog>
  );
}

// Whoever closes the dialog ends the work, also on the server.
async function rehearse(file: File, since: string, state: Signal<State | null>, stop: { current: AbortController | null }) {
  const mine = new AbortController();
  stop.current = mine;
  state.value = nothingYet;
  const take = (line: RehearsalLine) => { state.value = afterLine(state.value ?? nothingYet, line); };
  try {
    await documents(`rulesets/rehearsal${query({ since })}`, await file.text(), take, mine.signal);
  } catch (error) {
    if (!mine.signal.aborted) state.value = { ...(state.value ?? nothingYet), problem: errorText(error) };
  }
}

function Rehearsal({ state: { head, done, imports, left, end, problem } }: { state: State }) {
  if (problem) return <p class="problem" role="alert">{problem}</p>;
  return (
    <>
      {!end && <progress aria-label={t('Progress')} max={head ? Math.max(1, head.to - head.from) : 1} value={head ? done : undefined} />}
      {end && (
        <section role="status">
          <h3>{t('The map would be different now:')}</h3>
          <p>{t('{planned} imports planned again, {refused} refused, {carried} carried over without their files.', {
            planned: end.imports.planned, refused: end.imports.refused, carried: end.imports.carried_over,
          })}</p>
          <Differing difference={end} />
        </section>
      )}
      {head && differs(head) && <Part title={t('At once, where they begin to count')} difference={head} />}
      {imports.map((each) => (
        <Part key={each.lsn} title={`${each.name} · ${each.time}`} note={noteOf(each)} difference={each} />
      ))}
      {left > 0 && <p>{t('and {n} more', { n: left })}</p>}
    </>
  );
}

const outcomeTexts: Record<RehearsedImport['outcome'], Text | null> = {
  planned: null, refused: 'Refused', carried_over: 'Carried over without its file',
};
function noteOf({ outcome, reason }: RehearsedImport): string {
  const text = outcomeTexts[outcome];
  return text ? `${t(text)}: ${reason ?? ''}` : '';
}

function Part({ title, note, difference }: { title: string; note?: string; difference: RehearsedDifference }) {
  return (
    <details>
      <summary>{title} <small class="muted">{differs(difference) ? affected(difference) : t('Nothing differs.')}</small></summary>
      {note && <p>{note}</p>}
      <Differing difference={difference} />
    </details>
  );
}

function Differing({ difference }: { difference: RehearsedDifference }) {
  const { examples, created, updated, deleted } = difference;
  if (!differs(difference)) return <p>{t('Nothing differs.')}</p>;
  const left = created + updated + deleted - examples.length;
  return (
    <>
      <CountsOf changes={difference} />
      <ChangesList of={difference} load={() => Promise.resolve({ items: examples, next: null })} />
      {left > 0 && <p>{t('and {n} more', { n: left })}</p>}
    </>
  );
}
