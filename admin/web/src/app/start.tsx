// The start page: what one looks for in the morning, the sections, what happened last, and the map.
import type { ComponentType } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Activity, ActivityList } from '../../generated/api.ts';
import { t, time } from '../i18n/index.ts';
import { shownGroups } from '../sections/index.ts';
import { causeText, whatText } from '../sections/transactions.ts';
import { Heading } from '../ui/heading.tsx';
import { Icon } from '../ui/icons.tsx';
import { get, session } from './api.ts';
import { listen } from './events.ts';
import { Morning } from './morning.tsx';

export function Start() {
  const newest = useSignal<Activity[]>([]);
  const Map = useSignal<ComponentType<{ inside?: boolean }> | null>(null);
  const load = () => get<ActivityList>('activity')
    .then((answer) => { newest.value = answer.items.slice(0, 5); }, () => undefined);
  useEffect(() => {
    void load();
    if (session.value?.settings?.map_enabled) {
      void import('../map/page.tsx').then((module) => { Map.value = module.MapPage; });
    }
    return listen('change', () => void load());
  }, []);
  return (
    <>
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
      {Map.value && <div class="start-map"><Map.value inside /></div>}
    </>
  );
}
