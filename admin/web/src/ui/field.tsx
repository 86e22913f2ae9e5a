// One field of a form: label, control, help and error, tied together for screen readers.
import { useId } from 'preact/hooks';
import type { Property, Reference } from '../../generated/api.ts';
import type { Field } from '../app/section.ts';
import { t, time, translated } from '../i18n/index.ts';
import { EntryChoice } from './entry_choice.tsx';
import { Icon } from './icons.tsx';
import { SearchBox } from './search_box.tsx';

interface Props {
  field: Field;
  value: unknown;
  error: string | undefined;
  disabled: boolean;
  onChange: (value: unknown) => void;
}

export function FieldRow({ field, value, error, disabled, onChange }: Props) {
  const id = `field-${field.name}`;
  const about = useId();
  const described = field.help || error ? about : undefined;
  const control = { field, value, id, disabled, onChange, described, invalid: Boolean(error) };
  return (
    <div class={`field kind-${field.kind} ${error ? 'wrong' : ''}`}>
      {field.kind === 'properties' || field.kind === 'fixed'
        ? <span class="label" id={`${id}-label`}>{t(field.label)}</span>
        : <label for={id}>{t(field.label)}{field.required && <span class="required"> *</span>}</label>}
      <div class="control">
        <Control {...control} />
        <div id={about} class="about">
          {error && <p class="error">{translated(error)}</p>}
          {field.help && <p class="help">{t(field.help)}</p>}
        </div>
      </div>
    </div>
  );
}

interface ControlProps extends Omit<Props, 'error'> {
  id: string;
  described: string | undefined;
  invalid: boolean;
}

function Control(props: ControlProps) {
  const { field, value, id, disabled, onChange, described, invalid } = props;
  const common = { id, disabled, 'aria-describedby': described, 'aria-invalid': invalid };
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  switch (field.kind) {
    case 'lines':
      return <textarea {...common} rows={4} maxLength={field.longest} value={textOf(value)} onInput={onText} />;
    case 'json':
      return <textarea {...common} rows={14} spellcheck={false} required={field.required} value={textOf(value)} onInput={onText} />;
    case 'switch':
      return (
        <input {...common} type="checkbox" role="switch" checked={Boolean(value)}
          onChange={(event) => onChange(event.currentTarget.checked)} />
      );
    case 'choice':
      return (
        <select {...common} required={field.required} value={textOf(value)} onChange={onText}>
          {field.choices?.map((choice) => (
            <option key={choice.value} value={choice.value}>{t(choice.label)}</option>
          ))}
        </select>
      );
    case 'entry':
      return (
        <EntryChoice {...field.entry!} id={id} value={value as number | null} disabled={disabled} invalid={invalid}
          described={described} onChange={onChange} />
      );
    case 'one':
    case 'many':
      return (
        <SearchBox id={id} of={field.of ?? 'topologies'} label={t(field.label)} many={field.kind === 'many'}
          chosen={references(value)} disabled={disabled} invalid={invalid} describedBy={described}
          onChange={(chosen) => onChange(field.kind === 'many' ? chosen : (chosen[0] ?? null))} />
      );
    case 'password':
      return (
        <input {...common} type="password" required={field.required} autocomplete="new-password"
          maxLength={field.longest} value={textOf(value)} onInput={onText} />
      );
    case 'time': return <TimeInput {...props} />;
    case 'properties': return <Properties {...props} />;
    case 'fixed': return <output id={id} aria-labelledby={`${id}-label`}>{textOf(value) || '–'}</output>;
    default:
      return (
        <input {...common} type="text" required={field.required} autocomplete="off"
          inputMode={field.kind === 'decimal' ? 'decimal' : field.kind === 'whole' ? 'numeric' : undefined}
          maxLength={field.longest} value={textOf(value)} onInput={onText} />
      );
  }
}

const textOf = (value: unknown) => (value === null || value === undefined ? '' : String(value));

function references(value: unknown): Reference[] {
  if (Array.isArray(value)) return value as Reference[];
  return value ? [value as Reference] : [];
}

// Times are UTC in the data and local time in the field.
function TimeInput({ value, id, disabled, onChange, described, invalid }: ControlProps) {
  const date = value ? new Date(textOf(value)) : null;
  const local = date && !Number.isNaN(date.valueOf())
    ? new Date(date.valueOf() - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19) : '';
  return (
    <>
      <input id={id} type="datetime-local" step={1} disabled={disabled} aria-describedby={described}
        aria-invalid={invalid} value={local}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          onChange(typed ? new Date(typed).toISOString().replace('.000Z', 'Z') : null);
        }} />
      {date && <small class="muted"> {time(textOf(value))}</small>}
    </>
  );
}

function Properties({ field, value, id, disabled, onChange }: ControlProps) {
  const rows = (value as Property[] | null | undefined) ?? [];
  const change = (index: number, part: Partial<Property>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <div class="properties" role="group" aria-labelledby={`${id}-label`}>
      {rows.map((row, index) => (
        <div class="property" key={index}>
          <input type="text" aria-label={`${t('Name')} ${index + 1}`} maxLength={32} value={row.name}
            disabled={disabled} onInput={(event) => change(index, { name: event.currentTarget.value })} />
          <input type="text" aria-label={`${t('Value')} ${index + 1}`} maxLength={512} value={row.value}
            disabled={disabled} onInput={(event) => change(index, { value: event.currentTarget.value })} />
          {!disabled && (
            <button type="button" class="quiet" aria-label={t('Remove {name}', { name: row.name || `${index + 1}` })}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}>
              <Icon name="trash" />
            </button>
          )}
        </div>
      ))}
      {rows.length === 0 && disabled && <span class="muted">–</span>}
      {!disabled && (
        <button type="button" class="small" aria-label={`${t('Add')}: ${t(field.label)}`}
          onClick={() => onChange([...rows, { name: '', value: '' }])}>
          <Icon name="add" />{t('Add')}
        </button>
      )}
    </div>
  );
}
