// Rulesets and rules: the lists, and what can be done with one row.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Rule, RuleRan, RulesImportRan, Ruleset } from '../../generated/api.ts';
import { apiBase, mayAs } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import { navigateFrom, place } from '../app/router.ts';
import type { Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { askThenDo } from '../ui/ask_preview.tsx';
import { Heading } from '../ui/heading.tsx';
import { Icon } from '../ui/icons.tsx';
import { attempt, changed } from '../ui/notices.tsx';
import { ApplyDialog } from './apply_rule.tsx';
import { loadRulesets } from './rule_data.ts';
import { RehearsalDialog } from './rules_rehearsal.tsx';
import { RuleEditor } from './rule_editor.tsx';
import { Health } from './rule_health.tsx';
import { TrialDialog, tryRule, type Trial } from './rule_try.tsx';
import { ranText } from './what_ran.tsx';

const yes = (value: boolean) => <Icon name={value ? 'check' : 'cross'} label={value ? t('Yes') : t('No')} />;

export const rulesets: Section = {
  key: 'rulesets', title: 'Rulesets', singular: 'Ruleset', icon: 'list', runsRules: true,
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
  const rehearsed = useRef<HTMLInputElement>(null);
  const rehearsal = useSignal<File | null>(null);
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    const { path } = place.value;
    await attempt(async () => {
      const answer = await askThenDo<RulesImportRan>({
        method: 'POST', path: 'rulesets/import', body: JSON.parse(await chosen.text()) as object,
        title: `${t('Preview')}: ${chosen.name}`, verb: 'import',
      });
      if (!answer) return;
      const counts = { imported: answer.created_rulesets.length, discarded: answer.invalid_rulesets.length };
      changed(`${t('Rulesets imported: {imported}, discarded: {discarded}', counts)}. ${ranText(answer.ran)}`);
    });
    navigateFrom(path, '/admin/rulesets/?sort=priority', 'replace');
  };
  return (
    <p class="transfer">
      <a class="button small" href={`${apiBase}rulesets/export`} download><Icon name="download" />{t('Export Ruleset(s) to file')}</a>
      {mayAs('editor') && (
        <>
          <input ref={rehearsed} id="rehearsal-file" type="file" accept=".json" class="hidden-input" tabIndex={-1} aria-label={t('Rehearse rulesets')}
            onChange={(event) => {
              rehearsal.value = event.currentTarget.files?.[0] ?? null;
              event.currentTarget.value = '';
            }} />
          <button type="button" class="small" onClick={() => file.current?.click()}><Icon name="drop" />{t('Import rulesets')}</button>
          <input ref={file} id="rules-file" type="file" accept=".json" class="hidden-input" tabIndex={-1} aria-label={t('Import rulesets')}
            onChange={(event) => {
              void take(event.currentTarget.files?.[0]);
              event.currentTarget.value = ''; // the same file may be chosen again
            }} />
          <button type="button" class="small" onClick={() => rehearsed.current?.click()}><Icon name="history" />{t('Rehearse rulesets')}</button>
          {rehearsal.value && <RehearsalDialog file={rehearsal.value} onClose={() => { rehearsal.value = null; }} />}
        </>
      )}
    </p>
  );
}

function RulesPage({ rest }: { rest: string[] }) {
  if (rest[0]) return <RuleEditor key={rest[0]} section={rules} number={rest[0] === 'add' ? null : Number(rest[0])} />;
  return <RuleTable />;
}

function RuleTable() {
  const { value: sets, problem, reload } = useLoaded('', loadRulesets, ['change']);
  const trial = useSignal<Trial | null>(null);
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
                  <RuleActions rule={rule} reload={() => void reload()} onTried={(tried) => { trial.value = tried; }}
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
      {trial.value && <TrialDialog trial={trial.value} onClose={() => { trial.value = null; }} />}
    </>
  );
}

interface ActionProps {
  rule: Rule;
  reload: () => void;
  onTried: (trial: Trial) => void;
  onApply: () => void;
}

function RuleActions({ rule, reload, onTried, onApply }: ActionProps) {
  const clone = () => void attempt(async () => {
    const { name } = rule;
    const path = `rules/${rule.number}/clone`;
    const answer = await askThenDo<RuleRan>({ method: 'POST', path, title: `${t('Preview')}: ${name}`, verb: 'clone' });
    if (answer) changed(`${t('Cloned: {name}. The copy is disabled.', { name })} ${ranText(answer.ran)}`);
    reload();
  });
  const tryIt = () => void attempt(async () => onTried(await tryRule(rule.number, rule.name)));
  const tryOut = <button type="button" class="small" aria-label={`${t('Try')}: ${rule.name}`} onClick={tryIt}>{t('Try')}</button>;
  if (!mayAs('editor')) return tryOut;
  return (
    <>
      {tryOut}
      <button type="button" class="small" aria-label={`${t('Apply Rule')}: ${rule.name}`} onClick={onApply}>{t('Apply Rule')}</button>
      <button type="button" class="small" aria-label={`${t('Clone Rule')}: ${rule.name}`} onClick={clone}>{t('Clone Rule')}</button>
    </>
  );
}

export const rules: Section = {
  key: 'rules', title: 'Rules', singular: 'Rule', icon: 'rules', runsRules: true, page: RulesPage,
};

