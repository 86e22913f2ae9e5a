// Rulesets and rules: the lists, and what can be done with one row.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { apiBase, mayAs, post } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import { navigate } from '../app/router.ts';
import type { Row, Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Heading } from '../ui/heading.tsx';
import { Icon } from '../ui/icons.tsx';
import { attempt, changed } from '../ui/notices.tsx';
import { ApplyDialog } from './apply_rule.tsx';
import { loadRulesets, type Rule, type Ruleset } from './rule_data.ts';
import { RuleEditor } from './rule_editor.tsx';

const yes = (value: boolean) => <Icon name={value ? 'check' : 'cross'} label={value ? t('Yes') : t('No')} />;

export function Health({ healthy, problem }: { healthy: boolean; problem?: string | null }) {
  return healthy
    ? <span class="state good"><Icon name="check" />{t('Ready')}</span>
    : <span class="state bad" title={problem ?? ''}><Icon name="cut" />{problem || t('Misconfigured')}</span>;
}

export const rulesets: Section = {
  key: 'rulesets', title: 'Rulesets', singular: 'Ruleset', icon: 'list',
  list: {
    columns: [
      { name: 'name', label: 'Name', sort: true },
      { name: 'rules', label: 'Rules', cell: (row) => (row as Ruleset).rules.map((rule) => rule.name).join(', ') || '–' },
      { name: 'priority', label: 'Priority', sort: true, narrow: true },
      { name: 'enabled', label: 'Enabled', narrow: true, cell: (row) => yes(Boolean(row.enabled)) },
      { name: 'healthy', label: 'Health check', cell: (row) => <Health healthy={Boolean(row.healthy)} /> },
    ],
    search: true, sort: 'priority', above: Transfer, live: ['change'],
  },
  form: {
    add: 'editor', change: 'editor', remove: 'editor',
    fields: [
      { name: 'name', label: 'Name', kind: 'text', required: true, longest: 200 },
      { name: 'enabled', label: 'Enabled', kind: 'switch', start: true },
      { name: 'priority', label: 'Priority', kind: 'whole', start: '1000', required: true, help: 'Lower numbers run first.' },
    ],
    extra: ({ row }) => <RulesOf ruleset={row as Ruleset} />,
  },
};

function RulesOf({ ruleset }: { ruleset: Ruleset }) {
  return (
    <section class="part">
      <h2>{t('Rules')}</h2>
      <ul class="plain roomy">
        {ruleset.rules.map((rule) => (
          <li key={rule.number}>
            <a href={`/admin/rules/${rule.number}/`}>{rule.name}</a> <Health healthy={rule.healthy} problem={rule.problem} />
          </li>
        ))}
      </ul>
      {mayAs('editor') && (
        <a class="button small" href={`/admin/rules/add/?ruleset=${ruleset.number}`}><Icon name="add" />{t('Add a rule')}</a>
      )}
    </section>
  );
}

// Export of all rulesets, and import from a file.
function Transfer() {
  const file = useRef<HTMLInputElement>(null);
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    await attempt(async () => {
      const answer = await post<{ created_rulesets: string[]; invalid_rulesets: unknown[] }>('rulesets/import',
        JSON.parse(await chosen.text()) as object);
      changed(t('Rulesets imported: {imported}, discarded: {discarded}',
        { imported: answer.created_rulesets.length, discarded: answer.invalid_rulesets.length }));
    });
    navigate('/admin/rulesets/?sort=priority', 'replace');
  };
  return (
    <p class="transfer">
      <a class="button small" href={`${apiBase}rulesets/export`} download><Icon name="download" />{t('Export Ruleset(s) to file')}</a>
      {mayAs('editor') && (
        <>
          <button type="button" class="small" onClick={() => file.current?.click()}><Icon name="drop" />{t('Import rulesets')}</button>
          <input ref={file} id="rules-file" type="file" accept=".json" class="hidden-input" tabIndex={-1} aria-label={t('Import rulesets')}
            onChange={(event) => void take(event.currentTarget.files?.[0])} />
        </>
      )}
    </p>
  );
}

function RulesPage({ rest }: { rest: string[] }) {
  if (rest[0]) return <RuleEditor number={rest[0] === 'add' ? null : Number(rest[0])} />;
  return <RuleTable />;
}

function RuleTable() {
  const { value: sets, problem, reload } = useLoaded('', loadRulesets, ['change']);
  const shown = useSignal<{ rule: Rule; outcome: Outcome } | null>(null);
  const toApply = useSignal<{ rule: Rule; set: Ruleset } | null>(null);
  return (
    <>
      <Heading title={t('Rules')} icon="rules">
        {mayAs('editor') && <a class="button primary" href="/admin/rules/add/"><Icon name="add" />{t('Add')}</a>}
      </Heading>
      {!sets && <Waiting problem={problem} />}
      <div class="table-frame" tabIndex={0} role="region" aria-label={t('Rules')}>
        <table>
          <thead>
            <tr>
              <th>{t('Name')}</th><th>{t('Ruleset')}</th><th>{t('Priority')}</th><th>{t('Enabled')}</th>
              <th>{t('Health check')}</th><th><span class="hidden">{t('Actions')}</span></th>
            </tr>
          </thead>
          <tbody>
            {sets?.flatMap((set) => set.rules.map((rule) => (
              <tr key={rule.number}>
                <td><a href={`/admin/rules/${rule.number}/`}>{rule.name}</a></td>
                <td>{set.name}</td><td class="narrow">{rule.priority}</td><td class="narrow">{yes(rule.enabled)}</td>
                <td><Health healthy={rule.healthy} problem={rule.problem} /></td>
                <td class="row-actions">
                  <RuleActions rule={rule} reload={() => void reload()} onTried={(outcome) => { shown.value = { rule, outcome }; }}
                    onApply={() => { toApply.value = { rule, set }; }} />
                </td>
              </tr>
            )))}
          </tbody>
        </table>
      </div>
      {toApply.value && (
        <ApplyDialog rule={toApply.value.rule} ruleset={toApply.value.set} onClose={() => { toApply.value = null; }}
          onApplied={() => void reload()} />
      )}
      {shown.value && <Tried rule={shown.value.rule} outcome={shown.value.outcome} onClose={() => { shown.value = null; }} />}
    </>
  );
}

interface Outcome {
  created: number;
  updated: number;
  deleted: number;
  matched?: number;
  matches?: { kind: string; id?: string; name: string }[];
}

interface ActionProps {
  rule: Rule;
  reload: () => void;
  onTried: (outcome: Outcome) => void;
  onApply: () => void;
}

function RuleActions({ rule, reload, onTried, onApply }: ActionProps) {
  const run = (name: 'clone' | 'try') => void attempt(async () => {
    const outcome = await post<Outcome & Row>(`rules/${rule.number}/${name}`);
    if (name === 'try') return onTried(outcome);
    changed(t('Cloned: {name}', { name: rule.name }));
    reload();
  });
  const tryOut = <button type="button" class="small" aria-label={`${t('Try')}: ${rule.name}`} onClick={() => run('try')}>{t('Try')}</button>;
  if (!mayAs('editor')) return tryOut;
  return (
    <>
      {tryOut}
      <button type="button" class="small" aria-label={`${t('Apply Rule')}: ${rule.name}`} onClick={onApply}>{t('Apply Rule')}</button>
      <button type="button" class="small" aria-label={`${t('Clone Rule')}: ${rule.name}`} onClick={() => run('clone')}>{t('Clone Rule')}</button>
    </>
  );
}

const affected = (outcome: Outcome) => [
  t('{n} added', { n: outcome.created }), t('{n} changed', { n: outcome.updated }),
  t('{n} removed', { n: outcome.deleted }),
].join(', ');

function Tried({ rule, outcome, onClose }: { rule: Rule; outcome: Outcome; onClose: () => void }) {
  return (
    <Dialog title={`${t('Try')}: ${rule.name}`} onClose={onClose}>
      <div class="dialog-body">
        <p>{t('The rule matches {n} records.', { n: outcome.matched ?? 0 })} {t('It would make of them:')} <strong>{affected(outcome)}</strong></p>
        <ul class="plain">
          {outcome.matches?.map((match, index) => <li key={index}>{match.name} <small class="muted">{match.id ?? match.kind}</small></li>)}
        </ul>
        <p class="muted">{t('Nothing was changed.')}</p>
      </div>
      <footer><button type="button" class="primary" onClick={onClose}>{t('Close')}</button></footer>
    </Dialog>
  );
}

export const rules: Section = {
  key: 'rules', title: 'Rules', singular: 'Rule', icon: 'rules', page: RulesPage,
};

