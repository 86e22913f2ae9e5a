// Asks before something is done, and shows what it would do. What happens then is what was shown:
// where the map has moved meanwhile, it shows what would happen now, and asks again.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PlannedChanges } from '../../generated/api.ts';
import { ApiError, errorText, request, withQuery } from '../app/api.ts';
import { t } from '../i18n/index.ts';
import { pageQuery, type LoadChanges } from '../sections/change_groups.ts';
import { useBusy } from './busy.ts';
import { Dialog } from './dialog.tsx';

// A request that can be previewed.
export interface Deed {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object | undefined;
}

export type PreviewPage<P> = LoadChanges<P>;

// What the request would do.
export const previewOf = <P extends PlannedChanges>({ method, path, body }: Deed): PreviewPage<P> => (page) =>
  request<P>(method, withQuery(path, pageQuery(page, { preview: 'true' })), body);

// Does what was shown, or nothing.
export const doAsShown = <A,>({ method, path, body }: Deed, shown: PlannedChanges) => request<A>(method, path, body, shown.etag);

export const isMoved = (error: unknown): boolean => error instanceof ApiError && error.code === 'preview-moved';

interface Props<P, A> {
  title: string;
  deed: Deed;
  of?: unknown; // says what is previewed; another one is loaded anew
  shown?: P; // what is known already
  lead?: ComponentChildren; // above the preview
  children: (preview: P, more: PreviewPage<P>) => ComponentChildren;
  button: (preview: P | null) => { label: ComponentChildren; danger: boolean; off?: boolean };
  onDone: (answer: A, preview: P) => void;
  onClose: () => void;
}

export function PreviewedDialog<P extends PlannedChanges, A>({ title, deed, of, shown, lead, children, button, onDone, onClose }: Props<P, A>) {
  const preview = useSignal<P | null>(shown ?? null);
  const problem = useSignal('');
  const { isBusy, run } = useBusy();
  const more = previewOf<P>(deed);
  const load = async (): Promise<boolean> => {
    problem.value = '';
    try {
      preview.value = await more({});
    } catch (error) {
      problem.value = errorText(error);
    }
    return problem.value === '';
  };
  useEffect(() => { if (!shown) void load(); }, [of]);
  const doIt = async () => {
    if (!preview.value) return;
    problem.value = '';
    try {
      onDone(await doAsShown<A>(deed, preview.value), preview.value);
    } catch (error) {
      if (!isMoved(error) || await load()) problem.value = errorText(error);
    }
  };
  const { label, danger, off = false } = button(preview.value);
  const close = () => { if (!isBusy) onClose(); }; // else nobody would see what came of it
  return (
    <Dialog title={title} wide onClose={close}>
      <div class="dialog-body">
        {lead}
        {problem.value && <p class="error" role="alert">{problem.value}</p>}
        {preview.value ? children(preview.value, more) : <NotLoaded problem={problem.value} onAgain={() => void load()} />}
      </div>
      <footer>
        <button type="button" disabled={isBusy} onClick={close}>{t('Cancel')}</button>
        <button type="button" class={danger ? 'danger' : 'primary'} disabled={!preview.value || off || isBusy} onClick={() => void run(doIt)}>
          {label}
        </button>
      </footer>
    </Dialog>
  );
}

function NotLoaded({ problem, onAgain }: { problem: string; onAgain: () => void }) {
  return problem
    ? <button type="button" onClick={onAgain}>{t('Try again')}</button>
    : <p aria-busy="true">{t('Loading …')}</p>;
}
