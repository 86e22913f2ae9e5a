// Changing one's password, and ending one's other sessions.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OpenSession, OpenSessionList } from '../../generated/api.ts';
import { t, time } from '../i18n/index.ts';
import { Fields } from '../ui/form.tsx';
import type { Problems, Values } from '../ui/form_values.ts';
import { Heading } from '../ui/heading.tsx';
import { attempt, done, failed } from '../ui/notices.tsx';
import { ApiError, get, loadSession, remove, request } from './api.ts';
import type { Field } from './section.ts';

const fields: Field[] = [
  { name: 'old', label: 'Old password', kind: 'password', required: true },
  { name: 'new', label: 'New password', kind: 'password', required: true,
    help: 'At least 12 characters, and none of the common ones.' },
  { name: 'again', label: 'New password again', kind: 'password', required: true },
];

export function Password() {
  const values = useSignal<Values>({ old: '', new: '', again: '' });
  const problems = useSignal<Problems>({});
  const send = async (event: Event) => {
    event.preventDefault();
    const differ = values.value.new !== values.value.again;
    problems.value = differ ? { again: 'The two passwords differ.' } : {};
    if (differ) return;
    try {
      await request('PUT', 'session/password', { old: values.value.old, new: values.value.new });
      await loadSession(); // the session is a new one
      values.value = { old: '', new: '', again: '' };
      done(t('The password was changed.'));
    } catch (error) {
      failed(error);
      if (error instanceof ApiError) problems.value = error.fields;
    }
  };
  return (
    <>
      <Heading title={t('Change password')} icon="token" />
      <form class="record" noValidate onSubmit={(event) => void send(event)}>
        <Fields fields={fields} values={values.value} problems={problems.value} disabled={false}
          onChange={(name, value) => { values.value = { ...values.value, [name]: value }; }} />
        <div class="buttons"><button type="submit" class="primary">{t('Change password')}</button></div>
      </form>
      <Sessions />
    </>
  );
}

function Sessions() {
  const rows = useSignal<OpenSession[]>([]);
  const load = () => attempt(async () => { rows.value = (await get<OpenSessionList>('sessions')).items; });
  useEffect(() => { void load(); }, []);
  const endOthers = async () => {
    await attempt(async () => {
      await remove('sessions');
      done(t('All other sessions have ended.'));
    });
    await load();
  };
  return (
    <section class="part">
      <h2>{t('Sessions')}</h2>
      <ul class="plain">
        {rows.value.map((row) => (
          <li key={row.number}>
            {row.account} · {row.address} · {time(row.created)}
            {row.current ? ` · ${t('this one')}` : ''}
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => void endOthers()}>{t('End all other sessions')}</button>
    </section>
  );
}
