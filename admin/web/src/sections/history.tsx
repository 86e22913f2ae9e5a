// What happened to one record: who, when, why, and each value before and after.
import { get } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import { collection, type Section } from '../app/section.ts';
import { t, time, type Text } from '../i18n/index.ts';
import { ChangesTable, type FieldChange } from './changes_table.tsx';
import { causeText } from './transactions.ts';
import { Heading } from '../ui/heading.tsx';
import { Icon } from '../ui/icons.tsx';

interface Entry {
  lsn: number;
  time: string;
  actor: string;
  cause: string;
  text: string;
  fields: FieldChange[];
}

const actions: Record<string, Text> = { created: 'Added', updated: 'Changed', deleted: 'Removed' };

export function RecordHistory({ section, number }: { section: Section; number: number }) {
  const { value: entries, problem } = useLoaded(`${section.key} ${number}`, async () =>
    (await get<{ items: Entry[] }>(`${collection(section)}/${number}/history`)).items);
  return (
    <>
      <Heading title={`${t('History')}: ${t(section.singular)} ${number}`} icon="history">
        <a class="button" href={`/admin/${section.key}/${number}/`}><Icon name="back" />{t('Back')}</a>
      </Heading>
      {!entries && <Waiting problem={problem} />}
      <ol class="history">
        {entries?.map((entry) => (
          <li key={entry.lsn}>
            <h2>{actions[entry.text] ? t(actions[entry.text]!) : entry.text}</h2>
            <p class="muted">{time(entry.time)} · {entry.actor} · {causeText(entry)} · LSN {entry.lsn}</p>
            {entry.fields.length > 0 && <ChangesTable fields={entry.fields} />}
          </li>
        ))}
      </ol>
    </>
  );
}
