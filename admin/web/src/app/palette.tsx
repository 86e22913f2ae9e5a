// Goes anywhere by a few letters (Ctrl+K): sections, what can be added in them, and records of the
// network. Works with the arrow keys and Enter, as the search boxes of forms do.
import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { network, shownGroups } from '../sections/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { optionId, stepWithKey, useActiveInView } from '../ui/list_keys.ts';
import { get, mayAs, query, type Page } from './api.ts';
import { navigate } from './router.ts';

interface Found {
  text: string;
  detail: string;
  icon: IconName;
  address: string;
}

const recordsOfEach = 5;
const lettersMin = 2; // before records are looked for

// Those whose name has all the words, in the order of the side list.
function placesOf(words: string): Found[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const places = shownGroups().flatMap((group) => group.sections.flatMap((section) => {
    const { icon, key } = section;
    const detail = section.longTitle ? t(section.longTitle) : t(group.title);
    const list: Found = { text: t(section.title), detail, icon, address: `/admin/${key}/` };
    if (!section.form?.add || !mayAs(section.form.add)) return [list];
    return [list, { text: t('Add: {what}', { what: t(section.singular) }), detail: '', icon: 'add' as const, address: `/admin/${key}/add/` }];
  }));
  places.push({ text: t('View map'), detail: '', icon: 'map', address: '/' });
  return places.filter(({ text, detail }) => {
    const whole = `${text} ${detail}`.toLocaleLowerCase();
    return wanted.every((word) => whole.includes(word));
  });
}

async function recordsOf(words: string): Promise<Found[]> {
  const lists = await Promise.all(network.map(async ({ key, icon }) => {
    const page = await get<Page<{ number: number; id: string; name: string }>>(key + query({ q: words, limit: recordsOfEach }));
    return page.items.map(({ number, id, name }) => ({ text: name || id, detail: id, icon, address: `/admin/${key}/${number}/` }));
  }));
  return lists.flat();
}

export function Palette({ onClose }: { onClose: () => void }) {
  const words = useSignal('');
  const found = useSignal<Found[]>(placesOf(''));
  const active = useSignal(0);
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const finding = useRef(Promise.resolve()); // of the newest words

  const giveUp = () => { finding.current = Promise.resolve(); }; // what Enter waits for

  const find = (text: string) => {
    words.value = text;
    const places = placesOf(text);
    found.value = places;
    active.value = 0;
    giveUp();
    if (text.trim().length < lettersMin) return;
    finding.current = recordsOf(text.trim()).then((records) => {
      if (words.value === text) found.value = [...places, ...records];
    }, () => undefined);
  };
  const go = (chosen: Found | undefined) => {
    if (!chosen) return;
    giveUp();
    onClose();
    navigate(chosen.address);
  };
  const onKey = (event: KeyboardEvent) => {
    if (stepWithKey(event, active, found.value.length) || event.key !== 'Enter') return;
    event.preventDefault();
    const mine = finding.current;
    void mine.then(() => { if (mine === finding.current) go(found.value[active.value]); });
  };
  useEffect(() => giveUp, []);
  useLayoutEffect(() => { input.current?.focus(); }, []); // before a key can reach something else
  useActiveInView(list, active.value);

  return (
    <Dialog title={t('Go to')} onClose={onClose}>
      <div class="dialog-body palette">
        <input ref={input} type="text" role="combobox" autocomplete="off" aria-label={t('Go to')} aria-expanded="true"
          aria-controls={list} aria-autocomplete="list" aria-activedescendant={found.value.length > 0 ? optionId(list, active.value) : undefined}
          placeholder={t('Type to search')} value={words.value} onKeyDown={onKey}
          onInput={(event) => find(event.currentTarget.value)} />
        <ul id={list} role="listbox" aria-label={t('Go to')}>
          {found.value.map((each, index) => (
            <li key={each.address} id={optionId(list, index)} role="option" aria-selected={index === active.value}
              onMouseDown={(event) => { event.preventDefault(); go(each); }}>
              <Icon name={each.icon} /><span>{each.text}</span> <small>{each.detail}</small>
            </li>
          ))}
          {found.value.length === 0 && <li role="option" aria-selected="false" aria-disabled="true">{t('Nothing found')}</li>}
        </ul>
      </div>
    </Dialog>
  );
}
