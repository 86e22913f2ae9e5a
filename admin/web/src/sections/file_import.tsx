// One file import, step by step: choose or drop a file, upload it, see what would change, apply.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { FormatList, Import, ImportResult, Plan, PlanDetails, Planned, PlannedAgain } from '../../generated/api.ts';
import { ApiError, get, post, remove, upload } from '../app/api.ts';
import { useLoaded } from '../app/loaded.tsx';
import { listen } from '../app/events.ts';
import { navigateFrom } from '../app/router.ts';
import { number, t, type Text } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { attempt, changed, failed } from '../ui/notices.tsx';
import { useUnsaved } from '../ui/unsaved.tsx';
import { fileProblem, formOf, nowhere, TargetFields, type Target } from './import_target.tsx';
import { KeptPlans } from './kept_plans.tsx';
import { PlanView, type ShownPlan } from './plan_view.tsx';

type Step =
  | { name: 'choose' }
  | { name: 'upload'; part: number }
  | { name: 'planning'; plan: string; done: number; total: number; text: string }
  | { name: 'look'; plan: ShownPlan; differences: PlannedAgain | null }
  | { name: 'importing'; import: number; done: number; total: number; text: string };

export function FileImport() {
  const { value: known } = useLoaded('formats', () => get<FormatList>('formats'));
  const formats = (known?.items ?? []).filter(({ read }) => read);
  const step = useSignal<Step>({ name: 'choose' });
  const target = useSignal<Target>(nowhere);
  const file = useSignal<File | null>(null);
  const pasted = useRef<File | null>(null);
  const problem = useSignal<Text | null>(null);
  const rows = useSignal(''); // that were pasted
  useUnsaved(() => (step.value.name === 'choose' && rows.value.trim() ? [t('Rows that were pasted')] : []));
  const paste = (text: string) => {
    const wasPasted = Boolean(file.value) && file.value === pasted.current;
    rows.value = text;
    pasted.current = text.trim() ? new File([text], 'pasted.csv', { type: 'text/csv' }) : null;
    if (pasted.current) target.value = { ...target.value, place: 'update', format: 'csv' };
    else if (wasPasted) target.value = { ...target.value, place: nowhere.place, format: nowhere.format };
    if (pasted.current || wasPasted) file.value = pasted.current;
  };

  const begin = async () => {
    const chosen = file.value;
    problem.value = chosen ? fileProblem(chosen, target.value) : 'Choose a file first.';
    if (!chosen || problem.value) return;
    step.value = { name: 'upload', part: 0 };
    try {
      const answer = await upload<Planned>('imports', formOf(chosen, target.value), (part) => {
        step.value = { name: 'upload', part };
      });
      step.value = { name: 'planning', plan: String(answer.plan.id), done: 0, total: 0, text: '' };
    } catch (error) {
      failed(error);
      step.value = { name: 'choose' };
    }
  };
  useFollow(step, () => paste(''));

  if (step.value.name === 'look') {
    const { plan, differences } = step.value;
    return (
      <PlanView plan={plan} differences={differences} onApply={() => void apply(step)}
        onAgain={() => void planAgain(step)} onDrop={() => void drop(step)} />
    );
  }
  if (step.value.name !== 'choose') return <Progress step={step.value} />;
  return (
    <>
      <form class="record" noValidate onSubmit={(event) => { event.preventDefault(); void begin(); }}>
        <DropZone file={file} problem={problem.value} names={formats.map(({ name }) => name)} />
        <PastedRows rows={rows.value} onPaste={paste} />
        <TargetFields target={target} formats={formats} />
        <div class="buttons">
          <button type="submit" class="primary"><Icon name="drop" />{t('Preview import')}</button>
        </div>
      </form>
      <KeptPlans onLook={(plan) => void look(step, plan)} />
    </>
  );
}

function DropZone({ file, problem, names }: { file: Signal<File | null>; problem: Text | null; names: string[] }) {
  const over = useSignal(false);
  const take = (files: FileList | null | undefined) => { file.value = files?.[0] ?? file.value; };
  return (
    <div class={over.value ? 'drop over' : 'drop'}
      onDragOver={(event) => { event.preventDefault(); over.value = true; }}
      onDragLeave={() => { over.value = false; }}
      onDrop={(event) => {
        event.preventDefault();
        over.value = false;
        take(event.dataTransfer?.files);
      }}>
      <Icon name="drop" />
      <p>{file.value ? <strong>{file.value.name} · {number(Math.ceil(file.value.size / 1024))} KiB</strong> : t('Drop a file here, or')}</p>
      <label class="button" for="file">{t('Choose a file')}</label>
      <input id="file" type="file" class="hidden-input" aria-invalid={Boolean(problem)}
        aria-describedby="file-about" onChange={(event) => take(event.currentTarget.files)} />
      <p id="file-about" class={problem ? 'error' : 'help'} role={problem ? 'alert' : undefined}>
        {problem ? t(problem) : t('A map in any of these formats, at most 20 MiB: {names}. Nothing changes before you have seen the plan.', { names: names.join(', ') })}
      </p>
    </div>
  );
}

// They change values of elements that are there, unless somebody wants something else made of them.
function PastedRows({ rows, onPaste }: { rows: string; onPaste: (rows: string) => void }) {
  const wasOpen = useRef(rows !== '').current;
  return (
    <details class="pasted" open={wasOpen}>
      <summary>{t('Paste rows from a sheet')}</summary>
      <div class="fields">
        <div class="field">
          <label for="pasted-rows">{t('Rows with their headings')}</label>
          <div class="control">
            <textarea id="pasted-rows" rows={6} spellcheck={false} value={rows} placeholder={'identifier\tlatitude\tlongitude'}
              aria-describedby="pasted-rows-about"
              onInput={(event) => onPaste(event.currentTarget.value)} />
            <p id="pasted-rows-about" class="help">{t('As they are copied, with tabs or commas between. One column is called identifier.')}</p>
          </div>
        </div>
      </div>
    </details>
  );
}

const stepTexts: Record<string, Text> = {
  waiting: 'Waiting for its turn', reading: 'Reading the file', planning: 'Planning', storing: 'Storing the changes',
};

function Progress({ step }: { step: Step }) {
  const title: Text = step.name === 'upload' ? 'Uploading' : step.name === 'planning' ? 'Planning' : 'Importing';
  const part = step.name === 'upload' ? step.part
    : 'total' in step && step.total > 0 ? step.done / step.total : undefined;
  const doing = 'text' in step ? stepTexts[step.text] : undefined;
  return (
    <div class="card working" role="status">
      <h2>{t(title)} …</h2>
      <progress aria-label={t(title)} max={1} value={part} />
      <p class="muted">{doing ? t(doing) : ''}</p>
    </div>
  );
}

// Keeps up with the work on the server: by its events, and by asking every now and then in case
// the connection that brings them is gone.
function useFollow(step: Signal<Step>, onFinished: () => void): void {
  const { name } = step.value;
  useEffect(() => {
    if (name !== 'planning' && name !== 'importing') return undefined;
    const check = () => void attempt(() => followUp(step, onFinished));
    const stop = listen('progress', (data) => {
      const now = step.value;
      if (String(data.import) !== String(workOf(now))) return;
      step.value = { ...now, done: data.done, total: data.total, text: data.step } as Step;
      if (data.done >= data.total) check();
    });
    const timer = setInterval(check, 1500);
    check();
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [name]);
}

// The plan or import that is under way.
const workOf = (step: Step) => (step.name === 'planning' ? step.plan : step.name === 'importing' ? step.import : null);
// Whether that is the same, whose progress may be another one.
const isStill = ({ value: now }: Signal<Step>, begun: Step) => now.name === begun.name && workOf(now) === workOf(begun);

// Goes on from there, unless the reader has done something else meanwhile.
function goOn(step: Signal<Step>, begun: Step, next: Step): void {
  if (step.value === begun) step.value = next;
}

async function followUp(step: Signal<Step>, onFinished: () => void): Promise<void> {
  const now = step.value;
  if (now.name === 'planning') {
    const plan = await get<PlanDetails>(`plans/${now.plan}`);
    if (isStill(step, now)) step.value = { name: 'look', plan, differences: null };
  } else if (now.name === 'importing') {
    const { state, message, lsn } = await get<Import>(`imports/${now.import}`);
    if (!isStill(step, now)) return;
    if (state === 'complete' || state === 'warnings') {
      onFinished(); // what was pasted is on the map: leaving loses nothing
      finished(step, now.import, lsn);
    } else if (state === 'aborted') {
      step.value = { name: 'choose' };
      failed(message);
    }
  }
}

function finished(step: Signal<Step>, record: number, lsn: number | null): void {
  changed(t('The import is complete.'), lsn);
  step.value = { name: 'choose' };
  navigateFrom('/admin/file-imports/', `/admin/imports/${record}/`);
}

// A list of plans does not say all of each. One that can only be planned again is shown as far as
// the list knows it.
async function look(step: Signal<Step>, listed: Plan): Promise<void> {
  const { value: begun } = step;
  await attempt(async () => {
    const plan: ShownPlan = await get<PlanDetails>(`plans/${listed.id}`).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      return { ...listed, stale: error.text };
    });
    goOn(step, begun, { name: 'look', plan, differences: null });
  });
}

async function apply(step: Signal<Step>): Promise<void> {
  const { value: begun } = step;
  if (begun.name !== 'look') return;
  const { plan } = begun;
  try {
    const answer = await post<ImportResult>(`plans/${plan.id}/apply`);
    step.value = { name: 'importing', import: answer.record, done: 0, total: 0, text: '' };
  } catch (error) {
    if (step.value !== begun) return; // the first of two clicks
    if (error instanceof ApiError && error.status === 409) await look(step, plan);
    else failed(error);
  }
}

async function planAgain(step: Signal<Step>): Promise<void> {
  const { value: begun } = step;
  if (begun.name !== 'look') return;
  const { id } = begun.plan;
  await attempt(async () => {
    const differences = await post<PlannedAgain>(`plans/${id}/again`);
    const plan = await get<PlanDetails>(`plans/${id}`);
    goOn(step, begun, { name: 'look', plan, differences });
  });
}

async function drop(step: Signal<Step>): Promise<void> {
  const { value: begun } = step;
  if (begun.name !== 'look') return;
  await attempt(() => remove(`plans/${begun.plan.id}`));
  goOn(step, begun, { name: 'choose' });
}

