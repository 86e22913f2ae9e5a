// What rules are made of, and how each part of one stands.
import type { Rule, RulePart, RulePartType, RulesetList } from '../../generated/api.ts';
import { get } from '../app/api.ts';

export const loadRulesets = async () => (await get<RulesetList>('rulesets?limit=1000')).items;

export const emptyRule = (): Rule => ({
  number: 0, name: '', ruleset: { number: 0, name: '' }, enabled: true, priority: 1000, healthy: true, problem: null, warnings: [],
  criteria: [{ type: '', infos: [] }], actions: [{ type: '', infos: [] }],
});

// How each key of a block stands: needed and there or not, wanted, or not known to its type.
export type KeyState = 'given' | 'missing' | 'unknown';

export function keyStates(block: RulePart, type: RulePartType | undefined): { key: string; state: KeyState }[] {
  const given = block.infos.filter((info) => info.value !== '').map((info) => info.key);
  const known = [...(type?.required ?? []), ...(type?.optional ?? [])];
  return [
    ...(type?.required ?? []).map((key) => ({ key, state: given.includes(key) ? 'given' : 'missing' } as const)),
    ...given.filter((key) => !type?.required.includes(key))
      .map((key) => ({ key, state: known.includes(key) ? 'given' : 'unknown' } as const)),
  ];
}

// A block of another type keeps the values whose keys that type knows too.
export function withType(block: RulePart, type: RulePartType | undefined): RulePart {
  const kept = block.infos.filter((info) => info.value !== '' || type?.required.includes(info.key));
  const missing = (type?.required ?? []).filter((key) => !kept.some((info) => info.key === key));
  return { type: type?.type ?? '', infos: [...kept, ...missing.map((key) => ({ key, value: '' }))] };
}
