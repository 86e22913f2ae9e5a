// Above a list: filters that were saved, the columns to show, and the list as CSV.
import { useSignal } from '@preact/signals';
import { place } from '../app/router.ts';
import type { Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { useBusy } from './busy.ts';
import { Icon } from './icons.tsx';
import { csvOf, rowsOf } from './list_csv.ts';
import { dropFilter, possibleColumns, savedFilters, saveFilter, showColumn, shownColumns } from './list_kept.ts';
import { Menu } from './menu.tsx';
import { attempt, done } from './notices.tsx';
import { saveFile } from './save_file.ts';

interface Props {
  section: Section;
  values: Record<string, string>; // search, filters and order
}

export function ListTools({ section, values }: Props) {
  const narrows = Boolean(section.list?.search) || Boolean(section.list?.filters?.length);
  return (
    <div class="list-tools">
      {narrows && <SavedFilters section={section} />}
      <Columns section={section} />
      <ExportButton section={section} values={values} />
    </div>
  );
}

function SavedFilters({ section }: { section: Section }) {
  const name = useSignal('');
  const { path, search } = place.value;
  const saved = savedFilters(section);
  const save = (event: Event) => {
    event.preventDefault();
    if (!name.value.trim()) return;
    saveFilter(section, { name: name.value.trim(), search });
    name.value = '';
  };
  return (
    <Menu label="Saved filters" icon="search">
      <ul class="plain">
        {saved.map((filter) => (
          <li key={filter.name}>
            <a href={path + filter.search} aria-current={filter.search === search ? 'true' : undefined}>{filter.name}</a>
            <button type="button" class="quiet" aria-label={t('Remove {name}', { name: filter.name })} onClick={() => dropFilter(section, filter.name)}>
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
      {search && (
        <form onSubmit={save}>
          <input type="text" aria-label={t('Name of the filter')} placeholder={t('Name of the filter')} maxLength={80} value={name.value}
            onInput={(event) => { name.value = event.currentTarget.value; }} />
          <button type="submit" class="small">{t('Save')}</button>
        </form>
      )}
      <p class="help">{search ? t('Kept in this browser, for your account.') : t('Search, filter or sort the list; what it shows then can be saved here.')}</p>
    </Menu>
  );
}

function Columns({ section }: { section: Section }) {
  const shown = new Set(shownColumns(section).map(({ name }) => name));
  return (
    <Menu label="Columns" icon="menu">
      {possibleColumns(section).map((column, index) => (
        <label key={column.name}>
          <input type="checkbox" checked={shown.has(column.name)} disabled={index === 0}
            onChange={(event) => showColumn(section, column, event.currentTarget.checked)} />
          {t(column.label)}
        </label>
      ))}
      <p class="help">{t('Kept in this browser, for your account.')}</p>
    </Menu>
  );
}

function ExportButton({ section, values }: Props) {
  const { isBusy, run } = useBusy();
  const save = () => attempt(async () => {
    const { rows, total } = await rowsOf(section, values);
    const csv = csvOf(shownColumns(section), rows);
    saveFile(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }), `${section.key}.csv`); // the mark is for Excel
    done(t('{n} of {total} rows exported.', { n: rows.length, total }));
  });
  return <button type="button" class="small" disabled={isBusy} onClick={() => void run(save)}><Icon name="download" />{t('Export as CSV')}</button>;
}
