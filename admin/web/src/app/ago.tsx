// A time as how long ago it was, or how soon it is.
import { relative, t, time, type Text } from '../i18n/index.ts';

export function Ago({ value, what }: { value: string; what?: Text | undefined }) {
  return <span class="muted">{what && `${t(what)}: `}<time dateTime={value} title={time(value)}>{relative(value)}</time></span>;
}
