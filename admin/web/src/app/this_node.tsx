// What an administrator of the machine looks for in the morning: room on the disk, the journal, the newest
// checkpoint, and for how long the certificate is good.
import type { ComponentChildren } from 'preact';
import type { NodeOverview } from '../../generated/api.ts';
import { number, t, type Text } from '../i18n/index.ts';
import { bytes } from '../ui/bytes.ts';
import { Icon } from '../ui/icons.tsx';
import { Ago } from './ago.tsx';
import { get } from './api.ts';
import { useLoaded } from './loaded.tsx';

const smallShare = 0.1; // of the disk
const soonDays = 14;
const dayMilliseconds = 86_400_000;

export function ThisNode() {
  const { value: status } = useLoaded('node', () => get<NodeOverview>('overview/node'), ['change']);
  if (!status) return null;
  const { disk, journal_bytes: journal, last_checkpoint: checkpoint, certificates_expire: expire } = status;
  return (
    <section class="part">
      <h2><a href="/admin/tasks/">{t('This node')}</a></h2>
      <dl class="facts">
        {disk.total_bytes > 0 && (
          <Fact title="Disk" href="/admin/tasks/" isBad={disk.free_bytes < smallShare * disk.total_bytes}>
            {t('{free} free of {all}', { free: bytes(disk.free_bytes), all: bytes(disk.total_bytes) })}
          </Fact>
        )}
        <Fact title="Journal" href="/admin/activity/">{t('{size}, LSN {lsn}', { size: bytes(journal), lsn: number(status.lsn) })}</Fact>
        <Fact title="Newest checkpoint" href="/admin/activity/">{checkpoint ? <Ago value={checkpoint.time} /> : t('Never')}</Fact>
        {expire && (
          <Fact title="Certificate" href="/admin/tasks/" isBad={Date.parse(expire) - Date.now() < soonDays * dayMilliseconds}>
            <Ago value={expire} what="Expires" />
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ title, href, isBad, children }: { title: Text; href: string; isBad?: boolean; children: ComponentChildren }) {
  return (
    <>
      <dt>{t(title)}</dt>
      <dd class={isBad ? 'warned' : ''}>{isBad && <Icon name="cut" label={t('Soon too little')} />} <a href={href}>{children}</a></dd>
    </>
  );
}
