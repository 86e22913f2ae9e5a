// What the node does and did: tasks and the newest transactions.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get } from '../app/api.ts';
import { listen } from '../app/events.ts';
import type { Section } from '../app/section.ts';
import { t, time } from '../i18n/index.ts';
import { causeText, whatText, type Transaction } from './transactions.ts';
import { Heading } from '../ui/heading.tsx';
import { attempt } from '../ui/notices.tsx';

interface Task {
  kind: 'import' | 'poll';
  number: number;
  name: string;
}
interface Tasks {
  next_poll: string | null;
  running: Task[];
}

function TasksPage() {
  const found = useSignal<Tasks | null>(null);
  const load = () => void attempt(async () => { found.value = await get<Tasks>('tasks'); });
  useEffect(() => {
    load();
    const stops = [listen('progress', load), listen('poll', load), listen('change', load)];
    return () => stops.forEach((stop) => stop());
  }, []);
  return (
    <>
      <Heading title={t('Background tasks')} icon="clock" />
      <dl class="facts card">
        <dt>{t('Next polling')}</dt><dd>{time(found.value?.next_poll)}</dd>
        <dt>{t('Running now')}</dt><dd>{found.value?.running.length ?? 0}</dd>
      </dl>
      {found.value && found.value.running.length > 0
        ? (
          <table>
            <thead><tr><th>{t('Task')}</th><th>{t('Number')}</th><th>{t('Name')}</th></tr></thead>
            <tbody>
              {found.value.running.map((task) => (
                <tr key={`${task.kind} ${task.number}`}>
                  <td>{task.kind === 'import' ? t('Import') : t('Polling')}</td>
                  <td class="narrow"><a href={`/admin/${task.kind}s/${task.number}/`}>{task.number}</a></td>
                  <td>{task.name}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )
        : <p class="empty">{t('Nothing is running.')}</p>}
    </>
  );
}

export const tasks: Section = {
  key: 'tasks', title: 'Background tasks', singular: 'Task', icon: 'clock', page: TasksPage,
};


function ActivityPage() {
  const rows = useSignal<Transaction[] | null>(null);
  const load = () => void attempt(async () => { rows.value = (await get<{ items: Transaction[] }>('activity')).items; });
  useEffect(() => {
    load();
    return listen('change', load);
  }, []);
  return (
    <>
      <Heading title={t('Activity')} icon="history" />
      <div class="table-frame" tabIndex={0} role="region" aria-label={t('Activity')}>
        <table>
          <thead>
            <tr><th>LSN</th><th>{t('Time')}</th><th>{t('Who')}</th><th>{t('Why')}</th><th>{t('What')}</th></tr>
          </thead>
          <tbody>
            {rows.value?.map((row) => (
              <tr key={row.lsn}>
                <td class="narrow">{row.lsn}</td><td class="narrow">{time(row.time)}</td>
                <td>{row.actor || '–'}</td><td>{causeText(row)}</td><td>{whatText(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!rows.value && <p class="empty" aria-busy="true">{t('Loading …')}</p>}
    </>
  );
}

export const activity: Section = {
  key: 'activity', title: 'Activity', singular: 'Activity', icon: 'history', page: ActivityPage,
};
