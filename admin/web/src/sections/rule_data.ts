// Rulesets and rules as the API gives them.
import { get, type Page } from '../app/api.ts';
import type { Row } from '../app/section.ts';

export interface Info {
  key: string;
  value: string;
}
export interface Block {
  type: string;
  infos: Info[];
}
export interface Rule {
  number: number;
  name: string;
  enabled: boolean;
  priority: number;
  healthy: boolean;
  problem: string | null;
  criteria: Block[];
  actions: Block[];
}
export interface Ruleset extends Row {
  name: string;
  enabled: boolean;
  priority: number;
  healthy: boolean;
  rules: Rule[];
}
export interface BlockType {
  type: string;
  description?: string;
  required: string[];
  optional: string[];
}
export interface RuleTypes {
  criteria: BlockType[];
  actions: BlockType[];
}

export const loadRulesets = async () => (await get<Page<Row>>('rulesets?limit=1000')).items as Ruleset[];

export const emptyRule = (): Rule => ({
  number: 0, name: '', enabled: true, priority: 1000, healthy: true, problem: null,
  criteria: [{ type: '', infos: [] }], actions: [{ type: '', infos: [] }],
});

// How each key of a block stands: needed and there or not, wanted, or not known to its type.
export type KeyState = 'given' | 'missing' | 'unknown';

export function keyStates(block: Block, type: BlockType | undefined): { key: string; state: KeyState }[] {
  const given = block.infos.filter((info) => info.value !== '').map((info) => info.key);
  const known = [...(type?.required ?? []), ...(type?.optional ?? [])];
  return [
    ...(type?.required ?? []).map((key) => ({ key, state: given.includes(key) ? 'given' : 'missing' } as const)),
    ...given.filter((key) => !type?.required.includes(key))
      .map((key) => ({ key, state: known.includes(key) ? 'given' : 'unknown' } as const)),
  ];
}

// A block of another type keeps the values whose keys that type knows too.
export function withType(block: Block, type: BlockType | undefined): Block {
  const kept = block.infos.filter((info) => info.value !== '' || type?.required.includes(info.key));
  const missing = (type?.required ?? []).filter((key) => !kept.some((info) => info.key === key));
  return { type: type?.type ?? '', infos: [...kept, ...missing.map((key) => ({ key, value: '' }))] };
}
