// The cluster that this node is a member of: who leads, how far each member is.
import { useEffect } from 'preact/hooks';
import type { Cluster, ClusterOfNode } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import type { Section } from '../app/section.ts';
import { number, t, type Text } from '../i18n/index.ts';
import { Heading } from '../ui/heading.tsx';

const shownEvery = 2000; // milliseconds: what members report changes by itself
const gone = 10_000; // milliseconds: each reports every second

const roles: Record<Cluster['role'], Text> = {
  starting: 'Starting', follower: 'Follower', leader: 'Leader', stopped: 'Stopped',
};

function ClusterPage() {
  const { value: found, problem, reload } = useLoaded('', () => get<ClusterOfNode>('cluster'), ['change']);
  useEffect(() => {
    const timer = setInterval(() => void reload(), shownEvery);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <Heading title={t('Cluster')} icon="topology" />
      {found ? <Found cluster={found.cluster} /> : <Waiting problem={problem} />}
    </>
  );
}

function Found({ cluster }: { cluster: Cluster | null }) {
  if (!cluster) return <p class="empty">{t('This node is no member of a cluster.')}</p>;
  return <><State cluster={cluster} /><Members cluster={cluster} /></>;
}

const seconds = (milliseconds: number) => number(Math.round(milliseconds / 100) / 10);

// What was seen of the others holds as long as this member sees the database.
const sees = ({ reached, role }: Cluster) => reached && role !== 'stopped';

function State({ cluster }: { cluster: Cluster }) {
  const standby: Text = cluster.synchronous
    ? 'A second database confirms every change.' : 'No second database confirms changes.';
  return (
    <dl class="facts card">
      <dt>{t('Name')}</dt><dd>{cluster.name}</dd>
      <dt>{t('Role')}</dt><dd>{t(roles[cluster.role])}</dd>
      {cluster.reason && <><dt>{t('Why')}</dt><dd>{cluster.reason}</dd></>}
      <dt>{t('Leader')}</dt><dd>{!cluster.leader ? '–' : sees(cluster) ? cluster.leader : t('Last known: {name}', { name: cluster.leader })}</dd>
      <dt>{t('Epoch')}</dt><dd>{cluster.epoch}</dd>
      <dt>LSN</dt><dd>{cluster.lsn}</dd>
      <dt>{t('Transactions behind')}</dt><dd>{cluster.behind}</dd>
      <dt>{t('Age (s)')}</dt><dd>{seconds(cluster.lag_ms)}</dd>
      <dt>{t('Database')}</dt>
      <dd>{cluster.reached ? t(standby) : `${t('The database does not answer.')} ${cluster.last_error ?? ''}`}</dd>
    </dl>
  );
}

function Members({ cluster: { members, leader } }: { cluster: Cluster }) {
  const role = (member: Cluster['members'][number]): Text =>
    member.seen_ms > gone ? 'Not seen' : member.name === leader ? 'Leader' : 'Follower';
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={t('Cluster')}>
      <table>
        <thead>
          <tr><th>{t('Name')}</th><th>{t('Role')}</th><th>LSN</th><th>{t('Seen (s ago)')}</th><th>{t('Address')}</th><th>{t('Version')}</th></tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member.name}>
              <td>{member.name}</td>
              <td>{t(role(member))}</td>
              <td class="narrow">{member.lsn}</td>
              <td class="narrow">{seconds(member.seen_ms)}</td>
              <td>{member.address}</td>
              <td>{member.version}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const cluster: Section = {
  key: 'cluster', title: 'Cluster', singular: 'Cluster', icon: 'topology', page: ClusterPage,
};
