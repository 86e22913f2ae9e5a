// Finds records by typing: a text field with a list of matches from the server. One kind holds a
// single record, the other any number as labels. Works with the arrow keys, Enter and Escape.
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Choices, Reference } from '../../generated/api.ts';
import { get, query } from '../app/api.ts';
import { t } from '../i18n/index.ts';
import { Icon } from './icons.tsx';
import { optionId, stepWithKey, useActiveInView } from './list_keys.ts';
import { failed } from './notices.tsx';

export type ChoiceKind = 'topologies' | 'institutions' | 'nodes';
type Match = Choices['items'][number];

// Matches of words that the server is asked for.
interface Asking {
  words: string;
  isTaken: boolean; // the first of them is chosen as soon as it is known
}

interface Props {
  id?: string;
  of: ChoiceKind;
  label: string;
  chosen: Reference[];
  many?: boolean;
  disabled?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
  onChange: (chosen: Reference[]) => void;
}

export function SearchBox(props: Props) {
  const { of, chosen, many, onChange } = props;
  const text = useSignal('');
  const matches = useSignal<Match[]>([]);
  const open = useSignal(false);
  const active = useSignal(0);
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const newest = useRef(props); // an answer comes to what is chosen by then
  newest.current = props;
  const asking = useRef<Asking | null>(null);
  useEffect(() => () => { asking.current = null; }, []);

  const ask = async (words: string) => {
    if (asking.current?.words === words) return;
    const mine: Asking = { words, isTaken: false };
    asking.current = mine;
    const found = await get<Choices>(`choices/${of}${query({ q: words })}`).catch((error: unknown) => {
      if (mine.isTaken) failed(error);
      return null;
    });
    if (mine !== asking.current) return; // older words, or nothing is wanted any more
    asking.current = null;
    const { chosen } = newest.current;
    matches.value = (found?.items ?? []).filter((item) => !chosen.some((had) => had.number === item.number));
    active.value = 0;
    if (mine.isTaken) choose(matches.value[0]);
  };
  const choose = (match: Match | undefined) => {
    asking.current = null;
    if (!match) return;
    const { number, id, name } = match;
    const { many, chosen, onChange } = newest.current;
    const isThere = chosen.some((had) => had.number === number); // the list may be older than the choice
    if (!isThere) onChange(many ? [...chosen, { number, id, name }] : [{ number, id, name }]);
    text.value = '';
    if (!open.value) return; // whoever chose has gone on to another field
    open.value = false;
    input.current?.focus();
  };
  const show = () => {
    open.value = true;
    void ask(text.value);
  };
  // Until the answer is there, the list has the matches of other words.
  const take = () => {
    if (asking.current) asking.current.isTaken = true;
    else choose(matches.value[active.value]);
  };
  const giveUp = () => {
    asking.current = null;
    open.value = false;
  };
  const onKey = (event: KeyboardEvent) => {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (isArrow && !open.value) {
      event.preventDefault();
      show();
    } else if (stepWithKey(event, active, matches.value.length)) {
      return;
    } else if (event.key === 'Enter' && open.value) {
      event.preventDefault();
      take();
    } else if (event.key === 'Escape' && open.value) {
      event.stopPropagation();
      giveUp();
    } else if (event.key === 'Backspace' && !text.value && chosen.length) {
      onChange(chosen.slice(0, -1));
    }
  };
  useActiveInView(list, active.value);

  return (
    <div class="search-box">
      <Chosen {...props} />
      {!props.disabled && (many || chosen.length === 0) && (
        <input ref={input} id={props.id} type="text" role="combobox" autocomplete="off"
          aria-label={props.label} aria-expanded={open.value} aria-controls={list}
          aria-autocomplete="list" aria-invalid={props.invalid} aria-describedby={props.describedBy}
          aria-activedescendant={open.value ? optionId(list, active.value) : undefined}
          placeholder={t('Type to search')} value={text.value} onKeyDown={onKey}
          onInput={(event) => { text.value = event.currentTarget.value; show(); }}
          onFocus={show} onBlur={() => { open.value = false; }} />
      )}
      <ul id={list} role="listbox" aria-label={props.label} hidden={!open.value}>
        {matches.value.map((match, index) => (
          <li key={match.number} id={optionId(list, index)} role="option"
            aria-selected={index === active.value}
            onMouseDown={(event) => { event.preventDefault(); choose(match); }}>
            <span>{match.name}</span> <small>{match.path}</small>
          </li>
        ))}
        {matches.value.length === 0 && (
          <li role="option" aria-selected="false" aria-disabled="true">{t('Nothing found')}</li>
        )}
      </ul>
    </div>
  );
}

function Chosen({ chosen, disabled, onChange }: Props) {
  return (
    <>
      {chosen.map((item) => (
        <span key={item.number} class="chip">
          {item.name}
          {!disabled && (
            <button type="button" class="quiet" aria-label={t('Remove {name}', { name: item.name })}
              onClick={() => onChange(chosen.filter((other) => other !== item))}>
              <Icon name="close" />
            </button>
          )}
        </span>
      ))}
    </>
  );
}
