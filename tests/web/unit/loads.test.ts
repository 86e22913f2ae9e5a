// Loads of a page that overlap.
import { expect, it } from 'vitest';
import { Loads } from '../../../admin/web/src/app/loads.ts';

// Loads that are answered when the test says so, and what is shown of them.
function overlapping() {
  const asked: { signal: AbortSignal; answer: (value: string) => void; refuse: (error: unknown) => void }[] = [];
  const load = (signal: AbortSignal) => new Promise<string>((answer, refuse) => { asked.push({ signal, answer, refuse }); });
  const loads = new Loads('a', load);
  const shown: string[] = [];
  const run = () => loads.run((value) => shown.push(value), (error) => shown.push(`refused: ${String(error)}`));
  return { asked, shown, run, want: (key: string) => loads.want(key, load) };
}

it('an older answer is not shown after a newer one', async () => {
  const { asked, shown, run } = overlapping();
  const runs = [run(), run(), run()];
  asked[1]!.answer('second');
  await runs[1];
  asked[0]!.answer('first');
  asked[2]!.refuse('busy');
  await Promise.all(runs);
  expect(shown).toEqual(['second', 'refused: busy']);
});

it('an older answer that comes first is shown until the newer one comes', async () => {
  const { asked, shown, run } = overlapping();
  const runs = [run(), run()];
  asked[0]!.answer('first');
  await runs[0];
  expect(asked[0]!.signal.aborted).toBe(false);
  asked[1]!.answer('second');
  await runs[1];
  expect(shown).toEqual(['first', 'second']);
});

it('what is not wanted any more is stopped and not shown, also where it is wanted again', async () => {
  const { asked, shown, run, want } = overlapping();
  const runs = [run()];
  for (const key of ['b', 'a']) {
    want(key);
    runs.push(run());
  }
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
  asked[2]!.answer('a now');
  asked[0]!.answer('a before');
  asked[1]!.refuse('stopped');
  await Promise.all(runs);
  expect(shown).toEqual(['a now']);
});

it('what is loaded is what was wanted last', async () => {
  const loads = new Loads('a', () => Promise.resolve('a'));
  loads.want('b', () => Promise.resolve('b'));
  const shown: string[] = [];
  await loads.run((value) => shown.push(value), () => undefined);
  expect(shown).toEqual(['b']);
});
