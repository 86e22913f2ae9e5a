// The form of one record, for any section.
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Ran } from '../../generated/api.ts';
import { ApiError, get, mayAs, post, put } from '../app/api.ts';
import { useLoaded, WaitingPage } from '../app/loaded.tsx';
import { navigateFrom, place } from '../app/router.ts';
import { collection, nameOf, type Field, type Row, type Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { savedText } from '../sections/what_ran.tsx';
import { askThenDo } from './ask_preview.tsx';
import { useBusy } from './busy.ts';
import { FieldRow } from './field.tsx';
import { bodyOf, changedFields, problemsOf, valuesOf, withTyped, type Problems, type Values } from './form_values.ts';
import { FormButtons } from './form_buttons.tsx';
import { Heading } from './heading.tsx';
import { Icon } from './icons.tsx';
import { KeepFields, notKept, pathKept } from './keep.tsx';
import { changed, failed } from './notices.tsx';
import { useUnsaved } from './unsaved.tsx';

interface Props {
  section: Section;
  number: number | null; // null: a new record
}

export function RecordForm({ section, number }: Props) {
  const { value: row, problem, reload } = useLoaded(`${section.key} ${number}`, async () =>
    (number === null ? null : get<Row>(`${collection(section)}/${number}`)));
  if (number !== null && !row) {
    return (
      <>
        <WaitingPage title={t(section.title)} problem={problem} />
        {problem && section.form?.history && <a class="button" href={`/admin/${section.key}/${number}/history/`}><Icon name="history" />{t('History')}</a>}
      </>
    );
  }
  return <LoadedForm section={section} row={row} reload={reload} />;
}

type After = 'list' | 'another' | 'stay';

function LoadedForm({ section, row, reload }: { section: Section; row: Row | null; reload: () => Promise<void> }) {
  const form = section.form!;
  const isNew = row === null;
  const readOnly = !mayAs((isNew ? form.add : form.change) ?? 'admin')
    || (isNew ? !form.add : !form.change);
  const fields = form.fields.filter((field) => !field.only || field.only === (isNew ? 'add' : 'change'));
  const values = useSignal<Values>(valuesOf(fields, row));
  const first = useRef(values.value);
  const problems = useSignal<Problems>({});
  const kept = useSignal<Values>(notKept);
  const records = useSignal(0); // that were added here
  const { isBusy, run } = useBusy();
  const element = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => { // it was loaded anew: what is typed and not saved stands
    const isTyped = changedFields(fields, values.value, first.current).length > 0;
    const loaded = valuesOf(fields, row);
    values.value = withTyped(loaded, values.value, first.current);
    first.current = loaded;
    if (isTyped) return;
    problems.value = {};
    kept.value = notKept;
  }, [row]);

  const showProblems = (found: Problems) => {
    problems.value = found;
    const name = fields.find((field) => found[field.name])?.name;
    if (name) requestAnimationFrame(() => element.current?.querySelector<HTMLElement>(`#field-${name}`)?.focus());
  };
  const save = async (after: After) => {
    const found: Problems = { ...problemsOf(fields, values.value, isNew), ...form.check?.(values.value) };
    if (Object.keys(found).length) return showProblems(found);
    const { path } = place.value;
    const sent = values.value; // a search box may still choose something
    try {
      const answer = await store(section, row, bodyOf(fields, sent, row), kept.value);
      if (!answer) return; // the reader did not agree to what it would change
      first.current = sent;
      changed(savedText(nameOf({ ...sent, ...answer }), answer.ran as Ran | undefined));
      form.saved?.(answer);
      await leave(after, answer, path);
    } catch (error) {
      failed(error);
      if (error instanceof ApiError) showProblems(error.fields);
    }
  };
  const leave = async (after: After, answer: Row, path: string) => {
    if (after === 'list') return navigateFrom(path, `/admin/${section.key}/`);
    if (after === 'stay') {
      if (isNew) return navigateFrom(path, `/admin/${section.key}/${answer.number}/`);
      return reload();
    }
    if (!isNew) return navigateFrom(path, `/admin/${section.key}/add/`);
    values.value = valuesOf(fields, null);
    first.current = values.value;
    problems.value = {};
    kept.value = notKept;
    records.value += 1;
    requestAnimationFrame(() => element.current?.querySelector('input')?.focus());
  };
  useUnsaved(() => (readOnly ? [] : changedFields(fields, values.value, first.current).map(({ label }) => t(label))));

  const title = isNew ? t('Add: {what}', { what: t(section.singular) }) : nameOf(row);
  return (
    <>
      <Heading title={title} icon={section.icon}>
        {!isNew && form.history && (
          <a class="button" href={`/admin/${section.key}/${row.number}/history/`}>
            <Icon name="history" />{t('History')}
          </a>
        )}
        {!isNew && MapLink(section, row)}
      </Heading>
      <form ref={element} class="record" noValidate onSubmit={(event) => { event.preventDefault(); void run(() => save('list')); }}>
        <fieldset key={records.value} disabled={isBusy} class="bare">
          <Fields fields={fields} values={values.value} problems={problems.value} disabled={readOnly}
            onChange={(name, value) => {
              values.value = { ...values.value, [name]: value };
              problems.value = { ...problems.value, [name]: undefined };
            }} />
          {form.keeps && !readOnly && <KeepFields values={kept.value} onChange={(values) => { kept.value = values; }} />}
        </fieldset>
        {!isNew && form.extra && <form.extra row={row} />}
        <FormButtons section={section} row={row} remove={form.remove} readOnly={readOnly}
          onDeleted={() => { first.current = values.value; }}>
          <button type="submit" class="primary" disabled={isBusy}>{t('Done')}</button>
          {form.add && (
            <button type="button" disabled={isBusy} onClick={() => void run(() => save('another'))}>
              {t('Save and add another')}
            </button>
          )}
          <button type="button" disabled={isBusy} onClick={() => void run(() => save('stay'))}>
            {t('Save and continue editing')}
          </button>
        </FormButtons>
      </form>
      {form.below && <form.below row={row} values={values.value} />}
    </>
  );
}

function store(section: Section, row: Row | null, body: Values, kept: Values): Promise<Row | null> {
  const path = pathKept(row ? `${collection(section)}/${row.number}` : collection(section), kept);
  if (!section.runsRules) return row ? put<Row>(path, body, row.etag as string | undefined) : post<Row>(path, body);
  const title = `${t('Preview')}: ${nameOf({ number: 0, ...body })}`;
  return askThenDo<Row>({ method: row ? 'PUT' : 'POST', path, body, title, verb: 'save' });
}

const mapNames: Record<string, string> = { institutions: 'institution', nodes: 'node', links: 'link' };

function MapLink(section: Section, row: Row) {
  const name = mapNames[section.key];
  if (!name) return null;
  return <a class="button" href={`/?${name}=${row.number}`}><Icon name="map" />{t('Show on the map')}</a>;
}

interface FieldsProps {
  fields: Field[];
  values: Values;
  problems: Problems;
  disabled: boolean;
  onChange: (name: string, value: unknown) => void;
}

export function Fields({ fields, values, problems, disabled, onChange }: FieldsProps) {
  return (
    <div class="fields">
      {fields.map((field) => (
        <FieldRow key={field.name} field={field} value={values[field.name]} error={problems[field.name]}
          disabled={disabled} onChange={(value) => onChange(field.name, value)} />
      ))}
    </div>
  );
}
