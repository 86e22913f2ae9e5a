// Short messages about what was done or went wrong, read out to those who cannot see them.
import { signal } from '@preact/signals';
import { ApiError } from '../app/api.ts';
import { t } from '../i18n/index.ts';
import { Icon } from './icons.tsx';

interface Notice {
  key: number;
  kind: 'done' | 'error';
  text: string;
}
const notices = signal<Notice[]>([]);
let lastKey = 0;

const dismiss = (key: number) => {
  notices.value = notices.value.filter((notice) => notice.key !== key);
};

function show(kind: Notice['kind'], text: string, milliseconds: number): void {
  lastKey += 1;
  const key = lastKey;
  notices.value = [...notices.value.slice(-3), { key, kind, text }];
  setTimeout(() => dismiss(key), milliseconds);
}

export const done = (text: string) => show('done', text, 6000);
export const failed = (error: unknown) => {
  const text = error instanceof ApiError ? error.text : error instanceof Error ? error.message : String(error);
  show('error', text, 12000);
};

// Runs what may fail, shows the failure, and answers whether it went well.
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((notice) => (
        <div key={notice.key} class={`notice ${notice.kind}`}>
          <Icon name={notice.kind === 'done' ? 'check' : 'cut'} />
          <span>{notice.text}</span>
          <button type="button" class="quiet" aria-label={t('Dismiss')} onClick={() => dismiss(notice.key)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
