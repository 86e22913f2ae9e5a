// Shows what a change of rules would do to the map before it is done, and does what was shown.
import { signal } from '@preact/signals';
import type { Preview } from '../../generated/api.ts';
import { t, type Text } from '../i18n/index.ts';
import { PreviewView, stopsExport } from '../sections/preview.tsx';
import { RulesThatAct } from '../sections/what_ran.tsx';
import { doAsShown, isMoved, PreviewedDialog, previewOf, type Deed } from './previewed_dialog.tsx';
import { UndoHint } from './undo_hint.tsx';

// The button says what it does to the map, too.
export type Verb = 'save' | 'import' | 'clone';
const buttons: Record<Verb, { removes: Text; changes: Text }> = {
  save: { removes: 'Save and remove {n} from the map', changes: 'Save and change the map' },
  import: { removes: 'Import and remove {n} from the map', changes: 'Import and change the map' },
  clone: { removes: 'Clone and remove {n} from the map', changes: 'Clone and change the map' },
};

export interface Wanted extends Deed {
  title: string;
  verb: Verb;
}

interface Question {
  wanted: Wanted;
  preview: Preview;
  answer: (answer: unknown) => void; // of the server; null: the reader did not agree
}
const question = signal<Question | null>(null);

export const changesMap = ({ created, updated, deleted }: Preview) => created + updated + deleted > 0;

// Does it, when it leaves the map as it is or the reader agrees to what it would change. Null: they
// did not.
export async function askThenDo<T>(wanted: Wanted): Promise<T | null> {
  for (;;) {
    const preview = await previewOf<Preview>(wanted)({});
    if (changesMap(preview)) return ask<T>(wanted, preview);
    try {
      return await doAsShown<T>(wanted, preview);
    } catch (error) {
      if (!isMoved(error)) throw error;
    }
  }
}

const ask = <T,>(wanted: Wanted, preview: Preview) =>
  new Promise<T | null>((answer) => {
    question.value = { wanted, preview, answer: (given) => answer(given as T | null) };
  });

function buttonOf(verb: Verb, preview: Preview) {
  const { deleted } = preview;
  const label = deleted > 0 ? t(buttons[verb].removes, { n: deleted }) : t(buttons[verb].changes);
  return { label, danger: deleted > 0 || stopsExport(preview) };
}

export function PreviewDialog() {
  const asked = question.value;
  if (!asked) return null;
  const { wanted, preview: first, answer } = asked;
  const close = (given: unknown) => {
    question.value = null;
    answer(given);
  };
  return (
    <PreviewedDialog<Preview, unknown> title={wanted.title} deed={wanted} shown={first}
      button={(preview) => buttonOf(wanted.verb, preview ?? first)} onDone={close} onClose={() => close(null)}>
      {(preview, more) => (
        <>
          <p>{t('Rules run on the map as soon as this is saved. Nothing has changed yet.')}</p>
          <RulesThatAct rules={preview.rules} />
          <PreviewView preview={preview} more={more} />
          <UndoHint />
        </>
      )}
    </PreviewedDialog>
  );
}
