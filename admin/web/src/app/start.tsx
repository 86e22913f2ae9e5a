// The start page: what one looks for in the morning, the sections, what happened last, and the map.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Activity, ActivityList } from '../../generated/api.ts';
import { relative, t, time } from '../i18n/index.ts';
import { shownGroups } from '../sections/index.ts';
import { causeText, whatText } from '../sections/transactions.ts';
import { Heading } from '../ui/heading.tsx';
import { Icon } from '../ui/icons.tsx';
import { get, session } from './api.ts';
import { listen } from './events.ts';
import { usePart, Waiting } from './loaded.tsx';
import { keepVisit, visitBefore, type Visit } from './last_visit.ts';
import { Morning } from './morning.tsx';

const mapPage = async () => (await import('../map/page.tsx')).MapPage;

export function Start() {
  const newest = useSignal<Activity[]>([]);
  const isMapped = session.value?.settings?.map_enabled === true;
  const { value: map, problem } = usePart(isMapped, isMapped ? mapPage : null);
  const account = session.value?.account?.name ?? '';
  const before = useMemo(() => visitBefore(account), [account]);
  const load = () => get<ActivityList>('activity').then(({ items }) => {
    newest.value = items.slice(0, 5);
    if (items[0]) keepVisit(account, { lsn: items[0].lsn, time: new Date().toISOString() });
  }, () => undefined);
  useEffect(() => {
    void load();
    return listen('change', () => void load());
  }, []);
  return (
    <div class="start">
      <Heading title={t('Site administration')} />
      <Morning>
        <section class="part recent">
          <h2><a href="/admin/activity/">{t('Recent actions')}</a></h2>
          <ol class="plain">
            {newest.value.map((item) => (
              <li key={item.lsn}><span>{causeText(item)} · {whatText(item)}</span><small>{item.actor} · {time(item.time)}</small></li>
            ))}
            {newest.value.length === 0 && <li class="muted">{t('Nothing here yet.')}</li>}
          </ol>
          <a href="/admin/activity/">{t('All activity')}</a>
        </section>
      </Morning>
      <div class="tiles">
        {shownGroups().map((group) => (
          <section key={group.title}>
            <h2>{t(group.title)}</h2>
            <ul class="plain">
              {group.sections.map((section) => (
                <li key={section.key}><a href={`/admin/${section.key}/`}><Icon name={section.icon} />{t(section.title)}</a></li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {isMapped && (
        <section class="start-map" aria-label={t('Network map')}>
          {before && <SinceVisit before={before} newest={newest.value[0]?.lsn ?? 0} />}
          {map ? <map.Part inside since={before?.lsn ?? null} /> : <Waiting problem={problem} />}
        </section>
      )}
    </div>
  );
}

// Over the map, which shows what differs.
function SinceVisit({ before: { lsn, time: when }, newest }: { before: Visit; newest: number }) {
  return (
    <p class="since-visit">
      {newest > lsn
        ? <a href={`/?since=${lsn}`}>{t('What changed since your last visit, {when}', { when: relative(when) })}</a>
        : <span class="muted">{t('Nothing has changed since your last visit, {when}.', { when: relative(when) })}</span>}
    </p>
  );
}
