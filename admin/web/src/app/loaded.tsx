// What a page loads from the server: the value, or why there is none, and loading it again when the
// server tells that something has changed, or something was undone here.
import type { ComponentType } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Heading } from '../ui/heading.tsx';
import { undone } from '../ui/undo.ts';
import { errorText } from './api.ts';
import { listen, type Events } from './events.ts';
import { Loads, type Load } from './loads.ts';

export interface Loaded<T> {
  value: T | null;
  problem: string | null;
  reload: () => Promise<void>;
}

// `key` says what is loaded; another one loads anew, and stops what was asked for before.
export function useLoaded<T>(key: unknown, load: Load<T>, live: (keyof Events)[] = []): Loaded<T> {
  const value = useSignal<T | null>(null);
  const problem = useSignal<string | null>(null);
  const loads = useMemo(() => new Loads(key, load), []);
  loads.want(key, load);
  const show = (loaded: T) => {
    value.value = loaded;
    problem.value = null;
  };
  const reload = () => loads.run(show, (error) => { problem.value = errorText(error); });
  useEffect(() => {
    problem.value = null; // which may be of what was wanted before
    void reload();
    const stops = live.map((name) => listen(name, () => void reload()));
    return () => stops.forEach((stop) => stop());
  }, [key, undone.value]);
  return { value: value.value, problem: problem.value, reload };
}

// A part of the program that is fetched when it is first shown; `load` null: it is not shown.
export function usePart<Key, Props>(key: Key, load: (() => Promise<ComponentType<Props>>) | null) {
  return useLoaded(key, async () => {
    try {
      return load && { key, Part: await load() };
    } catch {
      throw new Error(t('This part of the page could not be loaded. Load the page again.'));
    }
  });
}

// Stands where the page will be. One that cannot be shown has a title, like any other.
export function WaitingPage({ title, problem }: { title: string; problem: string | null }) {
  return (
    <>
      {problem && <Heading title={title} />}
      <Waiting problem={problem} />
    </>
  );
}

// Stands where the value will be.
export function Waiting({ problem }: { problem: string | null }) {
  return problem
    ? <p class="empty" role="alert">{problem}</p>
    : <p class="empty" aria-busy="true">{t('Loading …')}</p>;
}
