// What a page loads from the server: the value, or why there is none, and loading it again when the
// server tells that something has changed, or something was undone here.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { undone } from '../ui/undo.ts';
import { errorText } from './api.ts';
import { listen, type Events } from './events.ts';

export interface Loaded<T> {
  value: T | null;
  problem: string | null;
  reload: () => Promise<void>;
}

// `key` says what is loaded; another one loads anew.
export function useLoaded<T>(key: unknown, load: () => Promise<T>, live: (keyof Events)[] = []): Loaded<T> {
  const value = useSignal<T | null>(null);
  const problem = useSignal<string | null>(null);
  const reload = async () => {
    try {
      value.value = await load();
      problem.value = null;
    } catch (error) {
      problem.value = errorText(error);
    }
  };
  useEffect(() => {
    void reload();
    const stops = live.map((name) => listen(name, () => void reload()));
    return () => stops.forEach((stop) => stop());
  }, [key, undone.value]);
  return { value: value.value, problem: problem.value, reload };
}

// Stands where the value will be.
export function Waiting({ problem }: { problem: string | null }) {
  return problem
    ? <p class="empty" role="alert">{problem}</p>
    : <p class="empty" aria-busy="true">{t('Loading …')}</p>;
}
