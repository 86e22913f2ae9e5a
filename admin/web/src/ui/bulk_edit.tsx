// Several records are changed alike: asks what they shall have, shows exactly what that would change,
// and does it as one transaction, which its notice can undo.
import { useSignal, type Signal } from '@preact/signals';
import type { Preview } from '../../generated/api.ts';
import { collection, nameOf, type Field, type Row, type Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { PreviewView } from '../sections/preview.tsx';
import { editableFields, editOf, valueField, waysOf, wayTexts, type Way } from './bulk_edit_body.ts';
import { Dialog } from './dialog.tsx';
import { FieldRow } from './field.tsx';
import { problemsOf, valuesOf } from './form_values.ts';
import { KeepFields, notKept, pathKept } from './keep.tsx';
import { changed } from './notices.tsx';
import { PreviewedDialog } from './previewed_dialog.tsx';
import { UndoHint } from './undo_hint.tsx';

const namesMax = 10;

interface Props {
  section: Section;
  rows: Row[];
  onClose: () => void;
  onChanged: () => void;
}

interface Wish {
  field: Field;
  way: Way;
  value: unknown;
}

export function BulkEditDialog({ section, rows, onClose, onChanged }: Props) {
  const fields = editableFields(section.form!.fields);
  const wish = useSignal<Wish>(wishFor(fields[0]!));
  const kept = useSignal(notKept);
  const edit = useSignal<object | null>(null); // null: it is still being said
  const title = t('Change {n} records', { n: rows.length });
  if (!edit.value) {
    return (
      <Dialog title={title} wide onClose={onClose}>
        <WishForm fields={fields} rows={rows} wish={wish} onCancel={onClose} onSaid={(said) => { edit.value = said; }}>
          {section.form?.keeps && <KeepFields values={kept.value} onChange={(values) => { kept.value = values; }} />}
        </WishForm>
      </Dialog>
    );
  }
  const body = { numbers: rows.map(({ number }) => number), ...edit.value };
  return (
    <PreviewedDialog<Preview, unknown> title={title} deed={{ method: 'POST', path: pathKept(`${collection(section)}/edit`, kept.value), body }}
      button={(preview) => ({ label: t('Change'), danger: false, off: preview?.total === 0 })}
      onClose={() => { edit.value = null; }}
      onDone={() => {
        changed(t('{n} records changed', { n: rows.length }));
        onClose();
        onChanged();
      }}>
      {(preview, more) => <><PreviewView preview={preview} more={more} /><UndoHint /></>}
    </PreviewedDialog>
  );
}

const wishFor = (field: Field, way: Way = waysOf(field)[0]!): Wish => {
  const asked = valueField(field, way);
  return { field, way, value: valuesOf([asked], null)[asked.name] };
};

interface FormProps {
  fields: Field[];
  rows: Row[];
  wish: Signal<Wish>;
  children: preact.ComponentChildren;
  onCancel: () => void;
  onSaid: (edit: object) => void;
}

function WishForm({ fields, rows, wish, children, onCancel, onSaid }: FormProps) {
  const problem = useSignal<string | undefined>(undefined);
  const { field, way, value } = wish.value;
  const asked = valueField(field, way);
  const choose = (next: Wish) => {
    problem.value = undefined; // that of what was chosen before
    wish.value = next;
  };
  const say = (event: Event) => {
    event.preventDefault();
    problem.value = problemsOf([asked], { [asked.name]: value }, false)[asked.name];
    if (!problem.value) onSaid(editOf(field, way, value));
  };
  return (
    <form noValidate onSubmit={say}>
      <div class="dialog-body">
        <Names rows={rows} />
        <div class="fields">
          <Choice label={t('Field')} id="bulk-field" value={field.name} choices={fields.map(({ name, label }) => [name, t(label)])}
            onChange={(name) => choose(wishFor(fields.find((each) => each.name === name)!))} />
          {waysOf(field).length > 1 && (
            <Choice label={t('Action')} id="bulk-way" value={way} choices={waysOf(field).map((each) => [each, t(wayTexts[each])])}
              onChange={(next) => choose(wishFor(field, next as Way))} />
          )}
          <FieldRow key={asked.name} field={asked} value={value} error={problem.value} disabled={false}
            onChange={(next) => { wish.value = { ...wish.value, value: next }; }} />
        </div>
        {children}
      </div>
      <footer>
        <button type="button" onClick={onCancel}>{t('Cancel')}</button>
        <button type="submit" class="primary">{t('Preview')}</button>
      </footer>
    </form>
  );
}

function Names({ rows }: { rows: Row[] }) {
  const others = rows.length - namesMax;
  return <p class="muted">{[...rows.slice(0, namesMax).map(nameOf), ...(others > 0 ? [t('and {n} more', { n: others })] : [])].join(', ')}</p>;
}

interface ChoiceProps { label: string; id: string; value: string; choices: [value: string, text: string][]; onChange: (value: string) => void }

function Choice({ label, id, value, choices, onChange }: ChoiceProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="control">
        <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {choices.map(([each, text]) => <option key={each} value={each}>{text}</option>)}
        </select>
      </div>
    </div>
  );
}
