// As what a file was read: its format, as forms name it, and what was said of the file besides.
import type { FormatList } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { useLoaded } from '../app/loaded.tsx';

interface Props {
  of: { format: string; format_parameters: string };
}

export function FileFormat({ of: { format, format_parameters: parameters } }: Props) {
  const { value } = useLoaded('formats', () => get<FormatList>('formats'));
  const description = value?.items.find(({ name }) => name === format)?.description;
  return <>{description ? `${format} – ${description}` : format}{parameters && <> <code>{parameters}</code></>}</>;
}
