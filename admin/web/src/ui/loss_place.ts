// Where in a file a field stands that is lost: as its kind of files counts places.
import type { Losses } from '../../generated/api.ts';

type Place = Pick<Losses['losses'][number], 'pointer' | 'sheet' | 'line' | 'column'>;

export function placeOf({ pointer, sheet, line, column }: Place): string {
  if (pointer !== undefined) return pointer;
  if (sheet !== undefined) return line ? `${sheet}!${column ? letters(column) : ''}${line}` : sheet;
  return line ? `${line}:${column ?? 1}` : '–';
}

// Of a column, as spreadsheets name it: A to Z, AA to AZ, ...
function letters(column: number): string {
  let text = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) text = String.fromCharCode(65 + ((rest - 1) % 26)) + text;
  return text;
}
