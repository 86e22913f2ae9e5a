// The cluster that this node is a member of: who leads, how far each member is.
import { useEffect } from 'preact/hooks';
import type { Cluster, ClusterOfNode } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import type { Section } from '../app/section.ts';
import { t, type Text } from '../i18n/index.ts';
import { Heading } from '../ui/heading.tsx';

const shownEvery = 2000; // milliseconds: what members report changes by itself

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

function State({ cluster }: { cluster: Cluster }) {
  const standby: Text = cluster.synchronous
    ? 'A second database confirms every change.' : 'No second database confirms changes.';
  return (
    <dl class="facts card">
      <dt>{t('Name')}</dt><dd>{cluster.name}</dd>
      <dt>{t('Role')}</dt><dd>{t(roles[cluster.role])}</dd>
      {cluster.reason && <><dt>{t('Why')}</dt><dd>{cluster.reason}</dd></>}
      <dt>{t('Leader')}</dt><dd>{cluster.leader || '–'}</dd>
      <dt>{t('Epoch')}</dt><dd>{cluster.epoch}</dd>
      <dt>LSN</dt><dd>{cluster.lsn}</dd>
      <dt>{t('Transactions behind')}</dt><dd>{cluster.behind}</dd>
      <dt>{t('Age (ms)')}</dt><dd>{cluster.lag_ms}</dd>
      <dt>{t('Database')}</dt>
      <dd>{cluster.reached ? t(standby) : t('The database does not answer.')}</dd>
    </dl>
  );
}

function Members({ cluster: { members, leader } }: { cluster: Cluster }) {
  return (
    <table>
      <thead>
        <tr><th>{t('Name')}</th><th>{t('Role')}</th><th>LSN</th><th>{t('Seen (ms ago)')}</th><th>{t('Version')}</th><th>{t('Address')}</th></tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.name}>
            <td>{member.name}</td>
            <td>{t(member.name === leader ? 'Leader' : 'Follower')}</td>
            <td class="narrow">{member.lsn}</td>
            <td class="narrow">{member.seen_ms}</td>
            <td>{member.version}</td>
            <td>{member.address}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export const cluster: Section = {
  key: 'cluster', title: 'Cluster', singular: 'Cluster', icon: 'topology', page: ClusterPage,
};
