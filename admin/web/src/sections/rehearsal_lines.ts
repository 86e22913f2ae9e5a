// What is known of a rehearsal from the lines of its answer so far.
import type { RehearsalEnd, RehearsalHead, RehearsalLine, RehearsedDifference, RehearsedImport } from '../../generated/api.ts';

const importsShownMax = 200; // that differ, or were not planned

export interface State {
  head: RehearsalHead | null;
  done: number;
  imports: RehearsedImport[];
  left: number; // imports that are not shown
  end: RehearsalEnd | null;
  problem: string;
}
export const nothingYet: State = { head: null, done: 0, imports: [], left: 0, end: null, problem: '' };

export const differs = ({ created, updated, deleted }: RehearsedDifference) => created + updated + deleted > 0;

// The state after another line of the answer.
export function afterLine(state: State, line: RehearsalLine): State {
  if ('error' in line) return { ...state, problem: line.error.message };
  if ('progress' in line) return { ...state, done: line.progress.done };
  if ('end' in line) return { ...state, end: line.end };
  if (!('import' in line)) return { ...state, head: line };
  const done = line.import.lsn - (state.head?.from ?? 0);
  if (!differs(line.import) && line.import.outcome === 'planned') return { ...state, done };
  if (state.imports.length === importsShownMax) return { ...state, done, left: state.left + 1 };
  return { ...state, done, imports: [...state.imports, line.import] };
}
