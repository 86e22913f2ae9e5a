// The list of one section: search, filters, order and pages are the server's work; the address
// holds them, so that a list can be linked to and the way back leads to the same one.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get, mayAs, query, type Page } from '../app/api.ts';
import { useLoaded } from '../app/loaded.tsx';
import { navigate, navigateFrom, place } from '../app/router.ts';
import { collection, nameOf, type Column, type Row, type RowAction, type Section } from '../app/section.ts';
import { number, t } from '../i18n/index.ts';
import { BulkEditDialog } from './bulk_edit.tsx';
import { deletionDialog } from './deletion.ts';
import { Confirm } from './dialog.tsx';
import { Filters } from './filters.tsx';
import { Heading } from './heading.tsx';
import { Icon } from './icons.tsx';
import { shownColumns } from './list_kept.ts';
import { ListTools } from './list_tools.tsx';
import { attempt, changed, failed } from './notices.tsx';
import { undone } from './undo.ts';

const pageSize = 100;

export function RecordList({ section }: { section: Section }) {
  const list = section.list!;
  const turned = useSignal<{ of: string; cursors: string[] }>({ of: '', cursors: [] });
  const selected = useSignal<ReadonlySet<number>>(new Set());
  const toDelete = useSignal<Row[] | null>(null);
  const toEdit = useSignal<Row[] | null>(null);
  const values = Object.fromEntries(new URLSearchParams(place.value.search));
  // Cursors of the pages before this one: another search or order begins at its first page, whoever
  // changed the address.
  const of = section.key + place.value.search;
  const cursors = turned.value.of === of ? turned.value.cursors : [];
  const turn = (next: string[]) => { turned.value = { of, cursors: next }; };
  const address = collection(section) + query({ sort: list.sort, ...values, limit: pageSize, cursor: cursors.at(-1) });

  const { value: loaded, problem, reload } = useLoaded(address, async () => ({ address, page: await get<Page<Row>>(address) }), list.live);
  const page = loaded?.page ?? null;
  useEffect(() => { selected.value = new Set(); }, [address, undone.value]);
  useEffect(() => { if (problem) failed(problem); }, [problem]);

  const Deletion = deletionDialog(section);
  // Of the address as it is by then: what comes late, such as words typed, must neither bring an old
  // one back nor reach another page.
  const { path } = place.value;
  const change = (name: string, value: string | null) => {
    const now = Object.fromEntries(new URLSearchParams(place.value.search));
    navigateFrom(path, path + query({ ...now, [name]: value }), 'replace');
  };
  const clear = () => {
    navigate(path + query({ sort: values.sort }));
    document.getElementById('main')?.focus({ preventScroll: true }); // the button goes
  };
  const rows = page?.items ?? [];
  const after = async (work: () => Promise<string | null>) => {
    await attempt(async () => {
      const message = await work();
      if (message) changed(message);
    });
    await reload();
  };

  return (
    <>
      <Heading title={t(section.title)} longTitle={section.longTitle && t(section.longTitle)} icon={section.icon}>
        {list.pageActions?.filter((action) => mayAs(action.role ?? 'editor')).map((action) => (
          <button type="button" key={action.label} onClick={() => void after(action.run)}>
            <Icon name={action.icon} />{t(action.label)}
          </button>
        ))}
        {section.form?.add && mayAs(section.form.add) && (
          <a class="button primary" href={`/admin/${section.key}/add/`}><Icon name="add" />{t('Add')}</a>
        )}
      </Heading>
      {list.above && <list.above />}
      <div class="above-list">
        <Filters list={list} values={values} onChange={change} />
        <ListTools section={section} values={{ ...(list.sort && { sort: list.sort }), ...values }} />
      </div>
      <BulkBar section={section} rows={rows.filter((row) => selected.value.has(row.number))}
        onDelete={(chosen) => { toDelete.value = chosen; }} onEdit={(chosen) => { toEdit.value = chosen; }} after={after} />
      <Table section={section} rows={rows} loading={!page && !problem} sort={values.sort ?? list.sort ?? ''}
        selected={selected.value} onSelect={(next) => { selected.value = next; }}
        onSort={(sort) => change('sort', sort)} after={after} onClear={clear} />
      <Pager page={page} at={cursors.length} onBack={() => turn(cursors.slice(0, -1))} onNext={(cursor) => { if (loaded?.address === address) turn([...cursors, cursor]); }} />
      {toDelete.value && (
        <Deletion section={section} rows={toDelete.value} onClose={() => { toDelete.value = null; }}
          onDeleted={() => { selected.value = new Set(); void reload(); }} />
      )}
      {toEdit.value && (
        <BulkEditDialog section={section} rows={toEdit.value} onClose={() => { toEdit.value = null; }} onChanged={() => void reload()} />
      )}
    </>
  );
}

interface BulkProps {
  section: Section;
  rows: Row[];
  onDelete: (rows: Row[]) => void;
  onEdit: (rows: Row[]) => void;
  after: (work: () => Promise<string | null>) => Promise<void>;
}

function BulkBar({ section, rows, onDelete, onEdit, after }: BulkProps) {
  const chosen = useSignal('');
  if (!selects(section) || rows.length === 0) return null;
  const actions = bulkActionsOf(section);
  const go = () => {
    if (chosen.value === 'delete') return onDelete(rows);
    if (chosen.value === 'edit') return onEdit(rows);
    const action = actions.find(({ label }) => label === chosen.value);
    if (action) void after(() => action.run(rows));
  };
  return (
    <div class="bulk">
      <span>{t('{n} selected', { n: rows.length })}</span>
      <select aria-label={t('Action')} value={chosen.value}
        onChange={(event) => { chosen.value = event.currentTarget.value; }}>
        <option value="">{t('Choose an action')}</option>
        {mayEdit(section) && <option value="edit">{t('Change selected')}</option>}
        {mayDelete(section) && <option value="delete">{t('Delete selected')}</option>}
        {actions.map(({ label }) => <option key={label} value={label}>{t(label)}</option>)}
      </select>
      <button type="button" disabled={!chosen.value} onClick={go}>{t('Go')}</button>
    </div>
  );
}

const mayDelete = (section: Section) => Boolean(section.form?.remove && mayAs(section.form.remove));
const bulkActionsOf = (section: Section) =>
  (section.list?.bulkActions ?? []).filter((action) => mayAs(action.role ?? 'editor'));
const mayEdit = (section: Section) => Boolean(section.list?.bulkEdit && section.form?.change && mayAs(section.form.change));
const selects = (section: Section) => mayDelete(section) || mayEdit(section) || bulkActionsOf(section).length > 0;

// Says whether there is nothing, or nothing that was asked for.
function Empty({ loading, onClear }: { loading: boolean; onClear: () => void }) {
  const isNarrowed = [...new URLSearchParams(place.value.search).keys()].some((name) => name !== 'sort');
  if (loading || !isNarrowed) {
    return <p class="empty" aria-busy={loading}>{loading ? t('Loading …') : t('Nothing here yet.')}</p>;
  }
  return (
    <p class="empty">
      {t('No match.')} <button type="button" onClick={onClear}>{t('Clear search and filters')}</button>
    </p>
  );
}

interface TableProps {
  section: Section;
  rows: Row[];
  loading: boolean;
  sort: string;
  selected: ReadonlySet<number>;
  onSelect: (selected: Set<number>) => void;
  onSort: (sort: string) => void;
  after: (work: () => Promise<string | null>) => Promise<void>;
  onClear: () => void; // of search and filters
}

function Table({ section, rows, loading, sort, selected, onSelect, onSort, after, onClear }: TableProps) {
  const { rowActions } = section.list!;
  const columns = shownColumns(section);
  const canSelect = selects(section);
  const toggle = (row: Row, on: boolean) => {
    const next = new Set(selected);
    if (on) next.add(row.number);
    else next.delete(row.number);
    onSelect(next);
  };
  if (rows.length === 0) return <Empty loading={loading} onClear={onClear} />;
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={t(section.title)}>
      <table>
        <thead>
          <tr>
            {canSelect && (
              <th class="pick">
                <input type="checkbox" aria-label={t('Select all')} checked={selected.size === rows.length}
                  onChange={(event) => onSelect(new Set(event.currentTarget.checked
                    ? rows.map((row) => row.number) : []))} />
              </th>
            )}
            {columns.map((column) => <Head key={column.name} column={column} sort={sort} onSort={onSort} />)}
            {rowActions && <th><span class="hidden">{t('Actions')}</span></th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.number} class={selected.has(row.number) ? 'selected' : ''}>
              {canSelect && (
                <td class="pick">
                  <input type="checkbox" aria-label={t('Select {name}', { name: nameOf(row) })}
                    checked={selected.has(row.number)}
                    onChange={(event) => toggle(row, event.currentTarget.checked)} />
                </td>
              )}
              {columns.map((column, index) => (
                <td key={column.name} class={column.narrow ? 'narrow' : ''}>
                  <Cell section={section} column={column} row={row} first={index === 0} />
                </td>
              ))}
              {rowActions && <td class="row-actions"><RowActions section={section} row={row} after={after} /></td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head({ column, sort, onSort }: { column: Column; sort: string; onSort: (sort: string) => void }) {
  if (!column.sort) return <th scope="col">{t(column.label)}</th>;
  const order = sort === column.name ? 'ascending' : sort === `-${column.name}` ? 'descending' : 'none';
  return (
    <th scope="col" aria-sort={order}>
      <button type="button" class="sort" onClick={() => onSort(order === 'ascending' ? `-${column.name}` : column.name)}>
        {t(column.label)}<span class={`arrow ${order}`} aria-hidden="true" />
      </button>
    </th>
  );
}

// The first column leads to the record.
function Cell({ section, column, row, first }: { section: Section; column: Column; row: Row; first: boolean }) {
  const shown = column.cell ? column.cell(row) : String(row[column.name] ?? '–');
  const leads = first && (section.form !== undefined || section.page !== undefined);
  return leads ? <a href={`/admin/${section.key}/${row.number}/`}>{shown || '–'}</a> : <>{shown}</>;
}

function RowActions({ section, row, after }: Pick<TableProps, 'section' | 'after'> & { row: Row }) {
  const actions = section.list!.rowActions!.filter((action) =>
    mayAs(action.role ?? 'viewer') && (action.shown?.(row) ?? true));
  const asked = useSignal<RowAction | null>(null);
  const run = (action: RowAction) => {
    asked.value = null;
    void after(() => action.run!(row));
  };
  const question = asked.value?.ask?.(row);
  return (
    <>
      {question && (
        <Confirm title={question.title} action={question.action} danger onConfirm={() => run(asked.value!)} onClose={() => { asked.value = null; }}>
          {question.text}
        </Confirm>
      )}
      {actions.map((action) => {
        const href = action.href?.(row);
        const label = `${t(action.label)}: ${nameOf(row)}`;
        return href
          ? <a key={action.label} class="button small" href={href} download aria-label={label}><Icon name={action.icon} />{t(action.label)}</a>
          : (
            <button key={action.label} type="button" class="small" aria-label={label}
              onClick={() => { if (action.ask) asked.value = action; else run(action); }}>
              <Icon name={action.icon} />{t(action.label)}
            </button>
          );
      })}
    </>
  );
}

interface PagerProps {
  page: Page<Row> | null;
  at: number;
  onBack: () => void;
  onNext: (cursor: string) => void;
}

function Pager({ page, at, onBack, onNext }: PagerProps) {
  if (!page || (page.items.length === 0 && at === 0)) return null;
  const first = at * pageSize + 1;
  const last = at * pageSize + page.items.length;
  const range = { first: number(first), last: number(last) };
  return (
    <nav class="pager" aria-label={t('Pages')}>
      {page.items.length > 0 && <span>{page.total === null ? t('{first} to {last}', range) : t('{first} to {last} of {total}', { ...range, total: number(page.total) })}</span>}
      {(at > 0 || page.next) && (
        <>
          <button type="button" disabled={at === 0} onClick={onBack}><Icon name="back" />{t('Previous')}</button>
          <button type="button" disabled={!page.next} onClick={() => page.next && onNext(page.next)}>
            {t('Next')}<Icon name="next" />
          </button>
        </>
      )}
    </nav>
  );
}
