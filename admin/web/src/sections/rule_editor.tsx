// The form of one rule: what it matches, and what it does then.
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Rule, RulePart, RulePartType, RuleRan, Ruleset, RuleTypes } from '../../generated/api.ts';
import { get, mayAs } from '../app/api.ts';
import { useLoaded, WaitingPage } from '../app/loaded.tsx';
import { navigateFrom, place } from '../app/router.ts';
import type { Section } from '../app/section.ts';
import { t, translated, type Text } from '../i18n/index.ts';
import { askThenDo } from '../ui/ask_preview.tsx';
import { useBusy } from '../ui/busy.ts';
import { FormButtons } from '../ui/form_buttons.tsx';
import { Heading } from '../ui/heading.tsx';
import { withTyped } from '../ui/form_values.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { attempt, changed } from '../ui/notices.tsx';
import { useUnsaved } from '../ui/unsaved.tsx';
import {
  emptyRule, keyStates, loadRulesets, withType,
  type KeyState,
} from './rule_data.ts';
import { Health } from './rule_health.tsx';
import { TrialDialog, tryRule, type Trial } from './rule_try.tsx';
import { savedText } from './what_ran.tsx';

type Draft = Omit<Rule, 'ruleset'> & { ruleset: number };

export function RuleEditor({ section, number }: { section: Section; number: number | null }) {
  const draft = useSignal<Draft | null>(null);
  const stored = useRef<Draft | null>(null); // as it was loaded, or saved
  const trial = useSignal<Trial | null>(null);
  const { isBusy, run } = useBusy();
  const form = useRef<HTMLFormElement>(null);
  const { value: loaded, problem } = useLoaded(number, async () => {
    const [stored, sets, types] = await Promise.all([
      number === null ? null : get<Rule>(`rules/${number}`), loadRulesets(), get<RuleTypes>('rule-types'),
    ]);
    const wanted = Number(new URLSearchParams(place.value.search).get('ruleset')) || (sets[0]?.number ?? 0);
    const rule: Draft = stored ? { ...stored, ruleset: stored.ruleset.number } : { ...emptyRule(), ruleset: wanted };
    return { rule, sets, types };
  });
  useLayoutEffect(() => { // what is typed and not saved stands
    if (!loaded) return;
    draft.value = draft.value && stored.current ? withTyped(loaded.rule, draft.value, stored.current) : loaded.rule;
    stored.current = loaded.rule;
  }, [loaded]);
  useUnsaved(() => (mayAs('editor') ? changedParts(draft.value, stored.current) : []));
  if (!loaded || !draft.value) return <WaitingPage title={t('Rules')} problem={problem} />;
  const { value: rule } = draft;
  const { sets, types } = loaded;
  const readOnly = !mayAs('editor');
  const change = (part: Partial<Draft>) => { draft.value = { ...rule, ...part }; };
  const save = async () => {
    const { path } = place.value;
    const answer = await askThenDo<RuleRan>({
      method: number === null ? 'POST' : 'PUT', path: number === null ? 'rules' : `rules/${number}`,
      body: bodyOf(rule), title: `${t('Preview')}: ${rule.name}`, verb: 'save',
    });
    if (!answer) return;
    stored.current = rule;
    changed(savedText(rule.name, answer.ran));
    navigateFrom(path, '/admin/rules/');
  };
  const tryTyped = () => void attempt(async () => {
    if (form.current?.reportValidity()) trial.value = await tryRule(number ?? 0, rule.name, bodyOf(rule));
  });
  return (
    <>
      <Heading title={number === null ? t('Add: {what}', { what: t('Rule') }) : rule.name} icon="rules" />
      {number !== null && <p><Health healthy={rule.healthy} problem={rule.problem} /></p>}
      <form ref={form} class="record" onSubmit={(event) => { event.preventDefault(); void run(() => attempt(save)); }}>
        <fieldset disabled={readOnly || isBusy} class="bare">
          <Basics sets={sets} rule={rule} onChange={change} />
          <Blocks title="Match criteria" types={types.criteria} blocks={rule.criteria} onChange={(criteria) => change({ criteria })} />
          <Blocks title="Rule actions" types={types.actions} blocks={rule.actions} onChange={(actions) => change({ actions })} />
        </fieldset>
        <FormButtons section={section} row={number === null ? null : { ...rule }} remove="editor" readOnly={readOnly}
          onDeleted={() => { stored.current = draft.value; }}>
          <button type="submit" class="primary" disabled={isBusy}>{t('Done')}</button>
          <button type="button" onClick={tryTyped}>{t('Try')}</button>
        </FormButtons>
      </form>
      {trial.value && <TrialDialog trial={trial.value} onClose={() => { trial.value = null; }} />}
    </>
  );
}

const bodyOf = ({ ruleset, name, enabled, priority, criteria, actions }: Draft) =>
  ({ ruleset, name, enabled, priority, criteria: clean(criteria), actions: clean(actions) });

type Part = keyof ReturnType<typeof bodyOf>;
const partTexts: Record<Part, Text> = {
  ruleset: 'Ruleset', name: 'Name', enabled: 'Enabled', priority: 'Priority', criteria: 'Match criteria', actions: 'Rule actions',
};

function changedParts(now: Draft | null, before: Draft | null): string[] {
  if (!now || !before) return [];
  const [body, stored] = [bodyOf(now), bodyOf(before)];
  return (Object.keys(partTexts) as Part[])
    .filter((name) => JSON.stringify(body[name]) !== JSON.stringify(stored[name])).map((name) => t(partTexts[name]));
}

const clean = (blocks: RulePart[]) =>
  blocks.map((block) => ({ type: block.type, infos: block.infos.filter((info) => info.value !== '') }));

interface BasicsProps {
  sets: Ruleset[];
  rule: Draft;
  onChange: (part: Partial<Draft>) => void;
}

function Basics({ sets, rule, onChange }: BasicsProps) {
  return (
    <div class="fields">
      <div class="field">
        <label for="rule-name">{t('Name')}<span class="required"> *</span></label>
        <div class="control">
          <input id="rule-name" type="text" required maxLength={200} value={rule.name}
            onInput={(event) => onChange({ name: event.currentTarget.value })} />
        </div>
      </div>
      <div class="field">
        <label for="rule-set">{t('Ruleset')}</label>
        <div class="control">
          <select id="rule-set" value={rule.ruleset}
            onChange={(event) => onChange({ ruleset: Number(event.currentTarget.value) })}>
            {sets.map((set) => <option key={set.number} value={set.number}>{set.name}</option>)}
          </select>
        </div>
      </div>
      <div class="field">
        <label for="rule-enabled">{t('Enabled')}</label>
        <div class="control">
          <input id="rule-enabled" type="checkbox" role="switch" checked={rule.enabled}
            onChange={(event) => onChange({ enabled: event.currentTarget.checked })} />
        </div>
      </div>
      <div class="field">
        <label for="rule-priority">{t('Priority')}</label>
        <div class="control">
          <input id="rule-priority" type="number" value={rule.priority}
            onInput={(event) => onChange({ priority: Number(event.currentTarget.value) })} />
          <p class="help">{t('Lower numbers run first.')}</p>
        </div>
      </div>
    </div>
  );
}

interface BlocksProps {
  title: Text;
  types: RulePartType[];
  blocks: RulePart[];
  onChange: (blocks: RulePart[]) => void;
}

function Blocks({ title, types, blocks, onChange }: BlocksProps) {
  const replace = (index: number, block: RulePart) => onChange(blocks.map((old, at) => (at === index ? block : old)));
  return (
    <section class="part">
      <h2>{t(title)}</h2>
      {blocks.map((block, index) => (
        <div class="block" key={index} role="group" aria-label={`${t(title)} ${index + 1}`}>
          <BlockRow block={block} types={types} onChange={(next) => replace(index, next)} label={`${t('Type')} ${index + 1}`} />
          {blocks.length > 1 && (
            <button type="button" class="quiet corner" aria-label={t('Remove {name}', { name: block.type || String(index + 1) })}
              onClick={() => onChange(blocks.filter((_, at) => at !== index))}>
              <Icon name="trash" />
            </button>
          )}
        </div>
      ))}
      <button type="button" class="small" aria-label={`${t('Add')}: ${t(title)}`} onClick={() => onChange([...blocks, { type: '', infos: [] }])}>
        <Icon name="add" />{t('Add')}
      </button>
    </section>
  );
}

const stateIcons: Record<KeyState, IconName> = { given: 'check', missing: 'cross', unknown: 'cut' };
const stateTexts: Record<KeyState, Text> = { given: 'given', missing: 'missing', unknown: 'unknown key' };

function BlockRow({ block, types, label, onChange }: { block: RulePart; types: RulePartType[]; label: string; onChange: (block: RulePart) => void }) {
  const type = types.find((candidate) => candidate.type === block.type);
  const known = [...(type?.required ?? []), ...(type?.optional ?? [])];
  const setInfo = (index: number, value: Partial<{ key: string; value: string }>) =>
    onChange({ ...block, infos: block.infos.map((info, at) => (at === index ? { ...info, ...value } : info)) });
  return (
    <>
      <select aria-label={label} required value={block.type}
        onChange={(event) => onChange(withType(block, types.find((candidate) => candidate.type === event.currentTarget.value)))}>
        <option value="">{t('Choose a type')}</option>
        {types.map((candidate) => (
          <option key={candidate.type} value={candidate.type}>{translated(candidate.type)}</option>
        ))}
      </select>
      {block.infos.map((info, index) => (
        <div class="property" key={index}>
          <select aria-label={`${t('Key')} ${index + 1}`} value={info.key} onChange={(event) => setInfo(index, { key: event.currentTarget.value })}>
            {[...new Set([...known, info.key])].map((key) => <option key={key} value={key}>{key}</option>)}
          </select>
          <input type="text" aria-label={info.key || `${t('Value')} ${index + 1}`} maxLength={1000} value={info.value}
            onInput={(event) => setInfo(index, { value: event.currentTarget.value })} />
          <button type="button" class="quiet" aria-label={t('Remove {name}', { name: info.key })}
            onClick={() => onChange({ ...block, infos: block.infos.filter((_, at) => at !== index) })}>
            <Icon name="trash" />
          </button>
        </div>
      ))}
      <p class="keys">
        {keyStates(block, type).map(({ key, state }) => (
          <span key={key} class={`key ${state}`}><Icon name={stateIcons[state]} />{key} <span class="hidden">{t(stateTexts[state])}</span></span>
        ))}
      </p>
      {known.length > 0 && (
        <button type="button" class="small" onClick={() => onChange({ ...block, infos: [...block.infos, { key: known[0]!, value: '' }] })}>
          <Icon name="add" />{t('Add a value')}
        </button>
      )}
    </>
  );
}
