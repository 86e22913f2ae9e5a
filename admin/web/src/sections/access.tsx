// Who and what may reach the node: tokens, accounts, origins; and its settings.
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Identity, Setting, SettingList, TokenValue } from '../../generated/api.ts';
import { get, mayAs, post, put, remove } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import { nameOf, type Choice, type Question, type Row, type Section } from '../app/section.ts';
import { t, time, translated, type Text } from '../i18n/index.ts';
import { useEntries } from '../ui/entry_choice.tsx';
import { Heading } from '../ui/heading.tsx';
import { Icon } from '../ui/icons.tsx';
import { attempt, changed } from '../ui/notices.tsx';
import { Shown, showToken } from './shown_secret.tsx';

const tokenTypes: Choice[] = [{ value: 'polling', label: 'Polling' }, { value: 'import', label: 'Import' }];
const typeName = (row: Row) => (row.type === 'import' ? t('Import') : t('Polling'));
const tick = (value: unknown) => <Icon name={value ? 'check' : 'cross'} label={value ? t('Yes') : t('No')} />;

async function tokenShown(row: Row, path: 'reveal' | 'regenerate'): Promise<string | null> {
  const answer = await post<TokenValue>(`tokens/${row.number}/${path}`);
  showToken(String(row.name), answer.value);
  return path === 'regenerate' ? t('The token has a new value. The old one no longer works.') : null;
}

function askRegenerate(row: Row): Question {
  const name = String(row.name);
  return {
    title: t('Regenerate the token of {name}?', { name }),
    action: t('Regenerate'),
    text: (
      <>
        <p class="stops">
          <Icon name="cut" />{' '}
          {row.type === 'import'
            ? t('{name} can no longer upload maps to this node: the present token is refused at once.', { name })
            : t('{name} can no longer collect the map of this node: the present token is refused at once.', { name })}
        </p>
        <p>{t('It works again when {name} has the new token, which is shown next.', { name })}</p>
        <p class="muted">{t('You may be asked for your password.')}</p>
      </>
    ),
  };
}

// Of views, by their numbers: asked once for the whole list.
const viewNames = signal<ReadonlyMap<number, string>>(new Map());

function ShownAndViews() {
  const views = useEntries('views');
  useEffect(() => { viewNames.value = new Map(views?.map((view) => [view.number, nameOf(view)])); }, [views]);
  return <Shown />;
}

const viewName = (row: Row) => (row.view === null ? null : viewNames.value.get(row.view as number) ?? String(row.view));

function ViewOf({ row }: { row: Row }) {
  const name = viewName(row);
  return name === null ? <>–</> : <a href={`/admin/views/${String(row.view)}/`}>{name}</a>;
}

export const tokens: Section = {
  key: 'tokens', title: 'Tokens', singular: 'Token', icon: 'token', view: 'admin',
  list: {
    columns: [
      { name: 'name', label: 'Client name', sort: true },
      { name: 'value', label: 'Token', cell: () => <span class="secret" title={t('Hidden')}>••••••••</span> },
      { name: 'type', label: 'Token type', sort: true, cell: typeName },
      { name: 'view', label: 'View', cell: (row) => <ViewOf row={row} />, csv: (row) => viewName(row) ?? '' },
      { name: 'created', label: 'Created', sort: true, cell: (row) => time(row.created as string) },
      { name: 'shown', label: 'Times revealed', narrow: true },
    ],
    filters: [{ name: 'type', label: 'Token type', choices: tokenTypes }],
    search: true, sort: '-created', above: ShownAndViews,
    rowActions: [
      { label: 'Show', icon: 'eye', role: 'admin', shown: (row) => row.kept !== false, run: (row) => tokenShown(row, 'reveal') },
      { label: 'Regenerate', icon: 'refresh', role: 'admin', ask: askRegenerate, run: (row) => tokenShown(row, 'regenerate') },
    ],
  },
  form: {
    add: 'admin', change: 'admin', remove: 'admin',
    fields: [
      { name: 'name', label: 'Client name', kind: 'text', required: true, longest: 128 },
      { name: 'type', label: 'Token type', kind: 'choice', choices: tokenTypes, required: true, start: 'polling',
        help: 'Polling tokens open exports, import tokens open uploads.' },
      { name: 'view', label: 'View', kind: 'entry', entry: { from: 'views', none: 'All of the map' },
        help: 'Its holder sees the map through it. Without a view: all of the map.' },
    ],
    check: ({ type, view }): Partial<Record<string, Text>> =>
      (type === 'import' && view !== null ? { view: 'An import token sees nothing of the map: choose none.' } : {}),
    saved: (row) => { if (typeof row.value === 'string') showToken(String(row.name), row.value); },
  },
};

const roles: Choice[] = [
  { value: 'viewer', label: 'Viewer' }, { value: 'editor', label: 'Editor' }, { value: 'admin', label: 'Administrator' },
];

export const accounts: Section = {
  key: 'accounts', title: 'Accounts', singular: 'Account', icon: 'people', view: 'admin',
  list: {
    columns: [
      { name: 'name', label: 'User name', sort: true },
      { name: 'email', label: 'Email', sort: true },
      { name: 'role', label: 'Role', sort: true,
        cell: (row) => t(roles.find((role) => role.value === row.role)?.label ?? 'Viewer') },
      { name: 'active', label: 'Active', narrow: true, cell: (row) => tick(row.active) },
      { name: 'last_sign_in', label: 'Last sign-in', sort: true, cell: (row) => time(row.last_sign_in as string) },
    ],
    filters: [{ name: 'role', label: 'Role', choices: roles },
      { name: 'active', label: 'Active', choices: [{ value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }] }],
    search: true, sort: 'name',
  },
  form: {
    add: 'admin', change: 'admin', remove: 'admin',
    fields: [
      { name: 'name', label: 'User name', kind: 'text', required: true, longest: 150, only: 'add',
        help: 'Letters, digits and @ . + - _' },
      { name: 'name', label: 'User name', kind: 'fixed', only: 'change' },
      { name: 'email', label: 'Email', kind: 'text', longest: 254 },
      { name: 'role', label: 'Role', kind: 'choice', choices: roles, required: true,
        help: 'Viewers see, editors change the map, administrators may do all.' },
      { name: 'active', label: 'Active', kind: 'switch', start: true },
      { name: 'password', label: 'Password', kind: 'password', only: 'add', required: true,
        help: 'At least 12 characters, and none of the common ones.' },
      { name: 'password', label: 'New password', kind: 'password', only: 'change',
        help: 'Empty: unchanged. A new one ends the sessions of the account.' },
      { name: 'last_sign_in', label: 'Last sign-in', kind: 'fixed', only: 'change' },
    ],
  },
};

export const identities: Section = {
  key: 'identities', title: 'Federated identities', longTitle: 'RS Identities', singular: 'Federated identity', icon: 'people', view: 'admin',
  list: {
    columns: [
      { name: 'eppn', label: 'eppn', sort: true },
      { name: 'display_name', label: 'Display name' },
      { name: 'first_name', label: 'First name' },
      { name: 'last_name', label: 'Last name' },
      { name: 'email', label: 'Email' },
      { name: 'account', label: 'Account', cell: (row) => (row.account as Identity['account'])?.name ?? '–' },
    ],
    search: true, sort: 'eppn',
  },
  form: {
    add: 'admin', change: 'admin', remove: 'admin',
    fields: [
      { name: 'eppn', label: 'eppn', kind: 'text', required: true, longest: 150,
        help: 'By which the web server in front names a person. Each sign-in writes the other fields anew.' },
      { name: 'display_name', label: 'Display name', kind: 'text', longest: 150 },
      { name: 'first_name', label: 'First name', kind: 'text', longest: 150 },
      { name: 'last_name', label: 'Last name', kind: 'text', longest: 150 },
      { name: 'email', label: 'Email', kind: 'text', longest: 150 },
    ],
  },
};

export const origins: Section = {
  key: 'origins', title: 'Origins', longTitle: 'Visualization Map Allowed Origins', singular: 'Allowed Origin', icon: 'plug',
  list: {
    columns: [{ name: 'name', label: 'Name', sort: true }, { name: 'origin', label: 'Origin', sort: true },
      { name: 'active', label: 'Active', narrow: true, cell: (row) => tick(row.active) }],
    search: true,
  },
  form: {
    add: 'admin', change: 'admin', remove: 'admin',
    fields: [
      { name: 'name', label: 'Name', kind: 'text', required: true, longest: 140 },
      { name: 'origin', label: 'Origin', kind: 'text', required: true, longest: 255,
        help: 'Scheme, host and port as browsers send them, such as https://www.example.org:8443, with no slash at the end.' },
      { name: 'active', label: 'Active', kind: 'switch', start: true },
    ],
    check: (values): Partial<Record<string, Text>> =>
      (isOrigin(String(values.origin ?? '')) ? {} : { origin: 'Enter scheme, host and port only, such as https://www.example.org' }),
  },
};

function isOrigin(text: string): boolean {
  try {
    const url = new URL(text);
    return url.origin === text && /^https?:$/.test(url.protocol);
  } catch {
    return false;
  }
}

function SettingsPage() {
  const { value: items, problem, reload } = useLoaded('', async () => (await get<SettingList>('settings')).items);
  return (
    <>
      <Heading title={t('Settings')} longTitle={t('App Configuration Settings')} icon="settings" />
      {items
        ? <div class="settings">{items.map((item) => <SettingRow key={item.key} item={item} reload={reload} />)}</div>
        : <Waiting problem={problem} />}
    </>
  );
}

function SettingRow({ item, reload }: { item: Setting; reload: () => Promise<void> }) {
  const value = useSignal(item.value);
  const id = `setting-${item.key}`;
  const readOnly = !mayAs('admin');
  const known = useRef(item.value); // to the server
  useEffect(() => {
    if (value.value === known.current) value.value = item.value; // nothing was typed since
    known.current = item.value;
  }, [item.value]);
  const store = async (next: string) => {
    await attempt(async () => {
      await put(`settings/${item.key}`, { value: next });
      known.current = next;
      changed(t('Saved: {name}', { name: translated(item.name) }));
    });
    await reload();
  };
  const reset = async () => {
    const had = value.value;
    await attempt(async () => {
      await remove(`settings/${item.key}`);
      known.current = had;
      changed(t('{name} has its default value again.', { name: translated(item.name) }));
    });
    await reload();
  };
  return (
    <form class="setting" onSubmit={(event) => { event.preventDefault(); void store(value.value); }}>
      <div>
        <label for={id}>{translated(item.name)}</label>
        <p class="help" id={`${id}-help`}>{translated(item.description)} <code>{item.key}</code></p>
      </div>
      <div class="setting-value">
        <SettingInput id={id} item={item} value={value.value} disabled={readOnly}
          onInput={(next) => { value.value = next; }} />
        {!readOnly && (
          <>
            <button type="submit" class="small primary" disabled={value.value === item.value}
              aria-label={`${t('Save')}: ${translated(item.name)}`}>{t('Save')}</button>
            <button type="button" class="small" disabled={item.value === item.default} onClick={() => void reset()}
              aria-label={`${t('Reset to default value')}: ${translated(item.name)}`}>
              {t('Reset to default value')}
            </button>
          </>
        )}
        <small class="muted">{t('Default: {value}', { value: item.default })}</small>
      </div>
    </form>
  );
}

interface InputProps {
  id: string;
  item: Setting;
  value: string;
  disabled: boolean;
  onInput: (value: string) => void;
}

function SettingInput({ id, item, value, disabled, onInput }: InputProps) {
  const common = { id, disabled, 'aria-describedby': `${id}-help` };
  if (item.kind === 'switch') {
    const [on, off] = item.choices.length === 2 ? item.choices : ['True', 'False'];
    return <input {...common} type="checkbox" role="switch" checked={value === on}
      onChange={(event) => onInput(event.currentTarget.checked ? on! : off!)} />;
  }
  if (item.kind === 'choice') {
    return (
      <select {...common} value={value} onChange={(event) => onInput(event.currentTarget.value)}>
        {item.choices.map((choice) => <option key={choice} value={choice}>{choice}</option>)}
      </select>
    );
  }
  return <input {...common} type="text" inputMode={item.kind === 'number' ? 'numeric' : undefined} maxLength={500}
    value={value} onInput={(event) => onInput(event.currentTarget.value)} />;
}

export const settings: Section = {
  key: 'settings', title: 'Settings', longTitle: 'App Configuration Settings', singular: 'Setting', icon: 'settings', page: SettingsPage,
};

