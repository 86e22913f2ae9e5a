// One file import, step by step: choose or drop a file, upload it, see what would change, apply.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FormatList, Import, ImportResult, Plan, PlanDetails, Planned, PlannedAgain, Reference } from '../../generated/api.ts';
import { ApiError, get, post, remove, upload } from '../app/api.ts';
import { useLoaded } from '../app/loaded.tsx';
import { listen } from '../app/events.ts';
import { navigate } from '../app/router.ts';
import { number, t, type Text } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { attempt, changed, failed } from '../ui/notices.tsx';
import { SearchBox } from '../ui/search_box.tsx';
import { KeptPlans } from './kept_plans.tsx';
import { PlanView, type ShownPlan } from './plan_view.tsx';

const bytesMax = 20 * 1024 * 1024;

type Step =
  | { name: 'choose' }
  | { name: 'upload'; part: number }
  | { name: 'planning'; plan: string; done: number; total: number; text: string }
  | { name: 'look'; plan: ShownPlan; differences: PlannedAgain | null }
  | { name: 'importing'; import: number; done: number; total: number; text: string };

// A known network stays where it is, unless somebody wants it elsewhere.
// An update sets values of elements that a topology has.
type Place = 'keep' | 'top' | 'below' | 'update';
interface Target {
  place: Place;
  parent: Reference | null; // or what is updated
  topologyName: string;
  format: string; // empty: as the file says
  owner: string; // of what the file names no owner of
  map: string; // of tables: HEADING=FIELD, one a line
}

const nowhere: Target = { place: 'keep', parent: null, topologyName: '', format: '', owner: '', map: '' };
const isTable = /\.(csv|xlsx)$/i;

function fileProblem(file: { name: string; size: number }, { topologyName, place, parent, format }: Target): Text | null {
  if (file.size > bytesMax) return 'The file is larger than 20 MiB.';
  if (place === 'update' && !parent) return 'Choose the topology that is updated.';
  if (place === 'update' && !format && !isTable.test(file.name)) return 'Values are taken from a CSV file or a sheet.';
  if (place !== 'update' && /\.xlsx$/i.test(file.name) && !topologyName.trim()) return 'A spreadsheet needs a topology name.';
  if (place === 'below' && !parent) return 'Choose the topology that it goes below.';
  return null;
}

export function FileImport() {
  const { value: known } = useLoaded('formats', () => get<FormatList>('formats'));
  const formats = (known?.items ?? []).filter(({ read }) => read);
  const step = useSignal<Step>({ name: 'choose' });
  const target = useSignal<Target>(nowhere);
  const file = useSignal<File | null>(null);
  const problem = useSignal<Text | null>(null);

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
  useFollow(step);

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
        <TargetFields target={target} formats={formats} />
        <div class="buttons">
          <button type="submit" class="primary"><Icon name="drop" />{t('Preview import')}</button>
        </div>
      </form>
      <KeptPlans onLook={(plan) => void look(step, plan)} />
    </>
  );
}

function formOf(file: File, target: Target): FormData {
  const form = new FormData();
  const updates = target.place === 'update';
  if (target.format) form.set('format', target.format); // before the file
  form.set('file', file);
  if (target.map.trim()) form.set('map', target.map);
  if (updates && target.parent) form.set('update', String(target.parent.number));
  form.set('plan', 'true');
  if (updates) return form;
  if (target.place === 'keep') form.set('parent', 'keep');
  if (target.place === 'below' && target.parent) form.set('parent', String(target.parent.number));
  if (target.owner.trim()) form.set('owner', target.owner.trim());
  if (target.topologyName.trim()) form.set('topology_name', target.topologyName.trim());
  return form;
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

const places: { place: Place; text: Text }[] = [
  { place: 'keep', text: 'Where the network is now; a new one below the main topology' },
  { place: 'top', text: 'At the top level, beside the other maps' },
  { place: 'below', text: 'Below another topology' },
  { place: 'update', text: 'Nowhere new: only values of elements that are there' },
];

function TargetFields({ target, formats }: { target: Signal<Target>; formats: FormatList['items'] }) {
  const updates = target.value.place === 'update';
  return (
    <div class="fields">
      <div class="field">
        <label for="place">{t('Parent topology')}</label>
        <div class="control">
          <select id="place" value={target.value.place}
            onChange={(event) => { target.value = { ...target.value, place: event.currentTarget.value as Place }; }}>
            {places.map(({ place, text }) => <option key={place} value={place}>{t(text)}</option>)}
          </select>
          {(target.value.place === 'below' || updates) && (
            <SearchBox id="parent" of="topologies" label={t(updates ? 'Topology' : 'Below')}
              chosen={target.value.parent ? [target.value.parent] : []}
              onChange={(chosen) => { target.value = { ...target.value, parent: chosen[0] ?? null }; }} />
          )}
          {updates && <p class="help">{t('A CSV file or a sheet with a column identifier: an empty cell keeps a value, - deletes it, and no row adds or deletes an element.')}</p>}
        </div>
      </div>
      {!updates && <NameField target={target} />}
      <FormatFields target={target} formats={formats} />
      {!updates && <OwnerField target={target} />}
    </div>
  );
}

function NameField({ target }: { target: Signal<Target> }) {
  return (
    <div class="field">
      <label for="topology-name">{t('Topology name')}</label>
      <div class="control">
        <input id="topology-name" type="text" maxLength={128} value={target.value.topologyName}
          onInput={(event) => { target.value = { ...target.value, topologyName: event.currentTarget.value }; }} />
        <p class="help">{t('Renames the root topology of the file; needed for spreadsheets.')}</p>
      </div>
    </div>
  );
}

function FormatFields({ target, formats }: { target: Signal<Target>; formats: FormatList['items'] }) {
  return (
    <>
      <div class="field">
        <label for="file-format">{t('Format')}</label>
        <div class="control">
          <select id="file-format" value={target.value.format}
            onChange={(event) => { target.value = { ...target.value, format: event.currentTarget.value }; }}>
            <option value="">{t('As the file itself tells')}</option>
            {formats.map(({ name, description }) => <option key={name} value={name}>{name} – {description}</option>)}
          </select>
        </div>
      </div>
      <div class="field">
        <label for="file-map">{t('What columns are')}</label>
        <div class="control">
          <textarea id="file-map" rows={2} value={target.value.map} placeholder="Node A=link end" aria-describedby="file-map-about"
            onInput={(event) => { target.value = { ...target.value, map: event.currentTarget.value }; }} />
          <p id="file-map-about" class="help">{t('Of tables whose headings are not known: HEADING=FIELD, one a line.')}</p>
        </div>
      </div>
    </>
  );
}

function OwnerField({ target }: { target: Signal<Target> }) {
  return (
    <div class="field">
      <label for="file-owner">{t('Owner')}</label>
      <div class="control">
        <input id="file-owner" type="text" value={target.value.owner}
          onInput={(event) => { target.value = { ...target.value, owner: event.currentTarget.value }; }} />
        <p class="help">{t('An institution, by name or ID, that owns what the file names no owner of.')}</p>
      </div>
    </div>
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
function useFollow(step: Signal<Step>): void {
  const { name } = step.value;
  useEffect(() => {
    if (name !== 'planning' && name !== 'importing') return undefined;
    const check = () => void attempt(() => followUp(step));
    const stop = listen('progress', (data) => {
      const now = step.value;
      const id = now.name === 'planning' ? now.plan : now.name === 'importing' ? now.import : null;
      if (id === null || String(data.import) !== String(id)) return;
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

async function followUp(step: Signal<Step>): Promise<void> {
  const now = step.value;
  if (now.name === 'planning') {
    const plan = await get<PlanDetails>(`plans/${now.plan}`);
    if (step.value.name === 'planning') step.value = { name: 'look', plan, differences: null };
  } else if (now.name === 'importing') {
    const { state, message, lsn } = await get<Import>(`imports/${now.import}`);
    if (step.value.name !== 'importing') return;
    if (state === 'complete' || state === 'warnings') finished(step, now.import, lsn);
    else if (state === 'aborted') {
      step.value = { name: 'choose' };
      failed(message);
    }
  }
}

function finished(step: Signal<Step>, record: number, lsn: number | null): void {
  changed(t('The import is complete.'), lsn);
  step.value = { name: 'choose' };
  navigate(`/admin/imports/${record}/`);
}

// A list of plans does not say all of each. One that can only be planned again is shown as far as
// the list knows it.
async function look(step: Signal<Step>, listed: Plan): Promise<void> {
  await attempt(async () => {
    const plan: ShownPlan = await get<PlanDetails>(`plans/${listed.id}`).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      return { ...listed, stale: error.text };
    });
    step.value = { name: 'look', plan, differences: null };
  });
}

async function apply(step: Signal<Step>): Promise<void> {
  if (step.value.name !== 'look') return;
  const { plan } = step.value;
  try {
    const answer = await post<ImportResult>(`plans/${plan.id}/apply`);
    step.value = { name: 'importing', import: answer.record, done: 0, total: 0, text: '' };
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) await look(step, plan);
    else failed(error);
  }
}

async function planAgain(step: Signal<Step>): Promise<void> {
  if (step.value.name !== 'look') return;
  const { id } = step.value.plan;
  await attempt(async () => {
    const differences = await post<PlannedAgain>(`plans/${id}/again`);
    step.value = { name: 'look', plan: await get<PlanDetails>(`plans/${id}`), differences };
  });
}

async function drop(step: Signal<Step>): Promise<void> {
  if (step.value.name !== 'look') return;
  const { id } = step.value.plan;
  await attempt(() => remove(`plans/${id}`));
  step.value = { name: 'choose' };
}

