// Webhooks: who hears of each change of the map, and the messages that were posted of late.
import type { Webhook, WebhookDeliveries, WebhookDelivery } from '../../generated/api.ts';
import { get, post } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import type { Question, Row, Section } from '../app/section.ts';
import { number, t, time } from '../i18n/index.ts';
import { Shown, showWebhookSecret } from './shown_secret.tsx';
import { State } from './state.tsx';

const placeOf = (row: Row) => {
  const { place } = row as unknown as Webhook;
  return place === null ? '–' : `LSN ${place.split(':')[0]}`;
};

const answerOf = ({ problem, status }: WebhookDelivery) => (status === null ? problem : `${problem} (HTTP ${status})`);

async function resume(row: Row): Promise<string> {
  await post(`webhooks/${row.number}/resume`);
  return t('Messages to {name} go on at once.', { name: String(row.name) });
}

async function postTest(row: Row): Promise<string> {
  const attempt = await post<WebhookDelivery>(`webhooks/${row.number}/test`);
  if (!attempt.taken) throw new Error(`${String(row.name)}: ${answerOf(attempt)}`);
  return t('{name} took the test message.', { name: String(row.name) });
}

async function renew(row: Row): Promise<null> {
  const { secret } = await post<Webhook>(`webhooks/${row.number}/secret`);
  showWebhookSecret(String(row.name), secret ?? '');
  return null;
}

const askRenew = (row: Row): Question => ({
  title: t('Make a new secret for {name}?', { name: String(row.name) }),
  action: t('New secret'),
  text: <p>{t('Messages are signed with the new secret at once: the receiver refuses them until it has it.')}</p>,
});

function Deliveries({ row }: { row: Row }) {
  const { value, problem } = useLoaded(row.number, () => get<WebhookDeliveries>(`webhooks/${row.number}/deliveries`), ['change']);
  if (!value) return <Waiting problem={problem} />;
  return (
    <section>
      <h2>{t('Messages of late')}</h2>
      {value.items.length === 0 && <p class="muted">{t('None since the node was started.')}</p>}
      {value.items.length > 0 && (
        <div class="table-frame" tabIndex={0} role="region" aria-label={t('Messages of late')}>
          <table>
            <thead><tr><th>{t('Time')}</th><th>{t('Kind')}</th><th>{t('LSN')}</th><th>{t('Answer')}</th><th>ID</th></tr></thead>
            <tbody>
              {value.items.map((item) => (
                <tr key={`${item.message} ${item.time}`}>
                  <td>{time(item.time)}</td><td><code>{item.type}</code></td><td class="narrow">{item.lsn ?? '–'}</td>
                  <td>{item.taken ? <State value="taken" /> : answerOf(item)}</td><td><code>{item.message}</code></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

export const webhooks: Section = {
  key: 'webhooks', title: 'Webhooks', singular: 'Webhook', icon: 'next', view: 'admin',
  list: {
    columns: [
      { name: 'name', label: 'Name', sort: true },
      { name: 'url', label: 'URL' },
      { name: 'state', label: 'State', sort: true, cell: (row) => <State value={String(row.state)} /> },
      { name: 'place', label: 'Delivered up to', cell: placeOf },
      { name: 'failures', label: 'Failures in a row', narrow: true, cell: (row) => number(Number(row.failures)) },
      { name: 'failing_since', label: 'Failing since', cell: (row) => time(row.failing_since as string | null) },
    ],
    search: true, sort: 'name', live: ['change'], above: Shown,
    rowActions: [
      { label: 'Post a test message', icon: 'publish', role: 'admin', run: postTest },
      { label: 'Resume', icon: 'play', role: 'admin', shown: (row) => Number(row.failures) > 0, run: resume },
      { label: 'New secret', icon: 'refresh', role: 'admin', ask: askRenew, run: renew },
    ],
  },
  form: {
    add: 'admin', change: 'admin', remove: 'admin', extra: Deliveries,
    fields: [
      { name: 'name', label: 'Name', kind: 'text', required: true, longest: 140 },
      { name: 'url', label: 'URL', kind: 'text', required: true, longest: 1000,
        help: 'Where each change of the map is posted, such as https://www.example.org/netml. Put no secret into it: it is shown in the log.' },
      { name: 'plain_http', label: 'Without encryption', kind: 'switch',
        help: 'HTTP only: changes of the map may travel where others can read them.' },
      { name: 'ca_certificates', label: 'Trusted certificates', kind: 'lines', help: 'In PEM form; empty: those of the system.' },
      { name: 'active', label: 'Active', kind: 'switch', start: true },
    ],
    saved: (row) => { if (typeof row.secret === 'string') showWebhookSecret(String(row.name), row.secret); },
  },
};
