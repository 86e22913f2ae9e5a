// Shows what a change would do before it is done, and does what was shown.
import { signal } from '@preact/signals';
import { ApiError, query, request } from '../app/api.ts';
import { t, type Text } from '../i18n/index.ts';
import { PreviewView, stopsExport, type Preview } from '../sections/preview.tsx';
import { RulesThatAct, type RuleEffect } from '../sections/what_ran.tsx';
import { Confirm } from './dialog.tsx';
import { failed } from './notices.tsx';
import { UndoHint } from './undo_hint.tsx';

export type RulesPreview = Preview & { rules: RuleEffect[] };

// The button says what it does to the map, too.
export type Deed = 'save' | 'import' | 'clone';
const buttons: Record<Deed, { removes: Text; changes: Text }> = {
  save: { removes: 'Save and remove {n} from the map', changes: 'Save and change the map' },
  import: { removes: 'Import and remove {n} from the map', changes: 'Import and change the map' },
  clone: { removes: 'Clone and remove {n} from the map', changes: 'Clone and change the map' },
};

interface Question {
  title: string;
  deed: Deed;
  preview: RulesPreview;
  more: (cursor: string | null) => Promise<RulesPreview>;
  answer: (agreed: boolean) => void;
}
const question = signal<Question | null>(null);

export interface Wanted {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
  title: string;
  deed: Deed;
}

// What the request would do. `cursor`: of a further page.
export const previewOf = ({ method, path, body }: Pick<Wanted, 'method' | 'path' | 'body'>) => (cursor: string | null) =>
  request<RulesPreview>(method, `${path}${query({ preview: 'true', cursor, limit: 50 })}`, body);

export const changesMap = ({ created, updated, deleted }: Preview) => created + updated + deleted > 0;

// Does it, when it leaves the map as it is or the reader agrees to what it would change. Null: they
// did not. Where the map moves meanwhile, the new preview is asked about.
export async function askThenDo<T>(wanted: Wanted): Promise<T | null> {
  const { method, path, body } = wanted;
  const more = previewOf(wanted);
  for (;;) {
    const preview = await more(null);
    if (changesMap(preview) && !(await ask(wanted, preview, more))) return null;
    try {
      return await request<T>(method, path, body, preview.etag);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'preview-moved') throw error;
      failed(error);
    }
  }
}

const ask = ({ title, deed }: Wanted, preview: RulesPreview, more: Question['more']) =>
  new Promise<boolean>((answer) => { question.value = { title, deed, preview, more, answer }; });

export function PreviewDialog() {
  const asked = question.value;
  if (!asked) return null;
  const close = (agreed: boolean) => {
    question.value = null;
    asked.answer(agreed);
  };
  const { title, deed, preview, more } = asked;
  const { deleted } = preview;
  const action = deleted > 0 ? t(buttons[deed].removes, { n: deleted }) : t(buttons[deed].changes);
  return (
    <Confirm title={title} action={action} danger={deleted > 0 || stopsExport(preview)} wide
      onConfirm={() => close(true)} onClose={() => close(false)}>
      <p>{t('Rules run on the map as soon as this is saved. Nothing has changed yet.')}</p>
      <RulesThatAct rules={preview.rules} />
      <PreviewView preview={preview} more={more} />
      <UndoHint />
    </Confirm>
  );
}
