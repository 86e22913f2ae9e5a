// The form of one rule: what it matches, and what it does then.
import { useSignal, type Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
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

interface Draft {
  rule: Rule;
  ruleset: number;
}

export function RuleEditor({ section, number }: { section: Section; number: number | null }) {
  const sets = useSignal<Ruleset[]>([]);
  const types = useSignal<RuleTypes | null>(null);
  const draft = useSignal<Draft | null>(null);
  const stored = useRef<Draft | null>(null); // as it was loaded, or saved
  const trial = useSignal<Trial | null>(null);
  const { isBusy, run } = useBusy();
  const form = useRef<HTMLFormElement>(null);
  const { problem } = useLoaded(number, async () => {
    const rule = number === null ? null : await get<Rule>(`rules/${number}`);
    [sets.value, types.value] = await Promise.all([loadRulesets(), get<RuleTypes>('rule-types')]);
    const wanted = Number(new URLSearchParams(place.value.search).get('ruleset'));
    const loaded = rule
      ? { rule, ruleset: rule.ruleset.number }
      : { rule: emptyRule(), ruleset: wanted || (sets.value[0]?.number ?? 0) };
    draft.value = withTyped(loaded, draft.value, stored.current);
    stored.current = loaded;
  });
  useUnsaved(() => (mayAs('editor') ? changedParts(draft.value, stored.current).map((name) => t(partTexts[name])) : []));
  if (!draft.value || !types.value) return <WaitingPage title={t('Rules')} problem={problem} />;
  const { rule, ruleset } = draft.value;
  const readOnly = !mayAs('editor');
  const change = (part: Partial<Rule>) => { draft.value = { ruleset, rule: { ...rule, ...part } }; };
  const save = async () => {
    const { name } = rule;
    const { path } = place.value;
    const sent = draft.value!;
    const answer = await askThenDo<RuleRan>({
      method: number === null ? 'POST' : 'PUT', path: number === null ? 'rules' : `rules/${number}`,
      body: bodyOf(sent), title: `${t('Preview')}: ${name}`, verb: 'save',
    });
    if (!answer) return;
    stored.current = sent;
    changed(savedText(name, answer.ran));
    navigateFrom(path, '/admin/rules/');
  };
  const tryTyped = () => void attempt(async () => {
    if (form.current?.reportValidity()) trial.value = await tryRule(number ?? 0, rule.name, bodyOf(draft.value!));
  });
  return (
    <>
      <Heading title={number === null ? t('Add: {what}', { what: t('Rule') }) : rule.name} icon="rules" />
      {number !== null && <p><Health healthy={rule.healthy} problem={rule.problem} /></p>}
      <form ref={form} class="record" onSubmit={(event) => { event.preventDefault(); void run(() => attempt(save)); }}>
        <fieldset disabled={readOnly || isBusy} class="bare">
          <Basics sets={sets.value} draft={draft as Signal<Draft>} onChange={change} isNew={number === null} />
          <Blocks title="Match criteria" types={types.value.criteria} blocks={rule.criteria} onChange={(criteria) => change({ criteria })} />
          <Blocks title="Rule actions" types={types.value.actions} blocks={rule.actions} onChange={(actions) => change({ actions })} />
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

const bodyOf = ({ ruleset, rule: { name, enabled, priority, criteria, actions } }: Draft) =>
  ({ ruleset, name, enabled, priority, criteria: clean(criteria), actions: clean(actions) });

type Part = keyof ReturnType<typeof bodyOf>;
const partTexts: Record<Part, Text> = {
  ruleset: 'Ruleset', name: 'Name', enabled: 'Enabled', priority: 'Priority', criteria: 'Match criteria', actions: 'Rule actions',
};

function changedParts(now: Draft | null, before: Draft | null): Part[] {
  if (!now || !before) return [];
  const [body, stored] = [bodyOf(now), bodyOf(before)];
  return (Object.keys(partTexts) as Part[])
    .filter((name) => JSON.stringify(body[name]) !== JSON.stringify(stored[name]));
}

// The rule as it is loaded anew, with the parts that are typed and not saved.
function withTyped(loaded: Draft, now: Draft | null, before: Draft | null): Draft {
  const parts = changedParts(now, before);
  const typed = Object.fromEntries(parts.filter((name) => name !== 'ruleset').map((name) => [name, now!.rule[name as keyof Rule]]));
  return { rule: { ...loaded.rule, ...typed }, ruleset: parts.includes('ruleset') ? now!.ruleset : loaded.ruleset };
}

const clean = (blocks: RulePart[]) =>
  blocks.map((block) => ({ type: block.type, infos: block.infos.filter((info) => info.value !== '') }));

interface BasicsProps {
  sets: Ruleset[];
  draft: Signal<Draft>;
  isNew: boolean;
  onChange: (part: Partial<Rule>) => void;
}

function Basics({ sets, draft, onChange }: BasicsProps) {
  const { rule, ruleset } = draft.value;
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
          <select id="rule-set" value={ruleset}
            onChange={(event) => { draft.value = { rule, ruleset: Number(event.currentTarget.value) }; }}>
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
