// What the node does: its tasks.
import type { Tasks } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import type { Section } from '../app/section.ts';
import { t, time } from '../i18n/index.ts';
import { Heading } from '../ui/heading.tsx';

function TasksPage() {
  const { value: found, problem } = useLoaded('', () => get<Tasks>('tasks'), ['progress', 'poll', 'change']);
  return (
    <>
      <Heading title={t('Background tasks')} icon="clock" />
      {found ? <Running tasks={found} /> : <Waiting problem={problem} />}
    </>
  );
}

function Running({ tasks: { next_poll: next, running } }: { tasks: Tasks }) {
  return (
    <>
      <dl class="facts card">
        <dt>{t('Next polling')}</dt><dd>{time(next)}</dd>
        <dt>{t('Running now')}</dt><dd>{running.length}</dd>
      </dl>
      {running.length > 0
        ? (
          <table>
            <thead><tr><th>{t('Task')}</th><th>{t('Number')}</th><th>{t('Name')}</th></tr></thead>
            <tbody>
              {running.map((task) => (
                <tr key={`${task.kind} ${task.number}`}>
                  <td>{task.kind === 'import' ? t('Import') : t('Polling')}</td>
                  <td class="narrow">{task.number === undefined ? '–' : <a href={`/admin/${task.kind}s/${task.number}/`}>{task.number}</a>}</td>
                  <td>{task.name ?? '–'}</td>
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
