// Mends what is wrong with the map: what would change is shown before it is made, and can be undone.
import { useSignal } from '@preact/signals';
import type { QualityFinding, QualityFix, QualityFixed, QualityFixPreview, QualityFixWanted } from '../../generated/api.ts';
import { mayAs } from '../app/api.ts';
import { t } from '../i18n/index.ts';
import { changed } from '../ui/notices.tsx';
import { PreviewedDialog } from '../ui/previewed_dialog.tsx';
import { UndoHint } from '../ui/undo_hint.tsx';
import { PreviewView } from './preview.tsx';
import { RulesThatAct } from './what_ran.tsx';

// What would be done to the record, and why.
function textOf({ kind, target, latitude = '', longitude = '' }: QualityFix, record: number): string {
  const name = target?.name ?? '';
  switch (kind) {
    case 'place-exchanged':
    case 'place-mirrored': return t('Move to {latitude}, {longitude}', { latitude, longitude });
    case 'merge': return target?.number === record ? t('Merge the others into this one') : t('Merge it into {name}', { name });
    case 'owner-of-ends': return t('Give it to {name}, which owns both its ends', { name });
    case 'owner-of-topology': return t('Give it to {name}, which owns its topology', { name });
    case 'owner-of-rest': return t('Give it to {name}, which owns all else of its topology', { name });
    case 'properties-removed': return t('Remove properties without a value');
    case 'repeats-removed': return t('Leave one of each property');
    case 'text-decoded': return t('Decode the garbled text');
  }
}

export function FixOne({ item: { check, fix, record }, onFixed }: { item: QualityFinding; onFixed: () => void }) {
  if (!fix || !mayAs('editor')) return null;
  const text = textOf(fix, record.number);
  return (
    <>
      <span class="muted">{text}</span>
      <FixButton label={t('Fix')} title={`${record.name || record.id}: ${text}`} wanted={{ check, record: record.number }} onFixed={onFixed} />
    </>
  );
}

interface AllProps { items: QualityFinding[]; title: string; wanted: { check: string; topology: string | undefined }; onFixed: () => void }

export function FixAll({ items, title, wanted: { check, topology }, onFixed }: AllProps) {
  if (!mayAs('editor') || items.filter(({ fix }) => fix).length < 2) return null;
  const wanted = topology === undefined ? { check } : { check, topology };
  return <li><FixButton label={t('Fix all that can be')} title={title} wanted={wanted} onFixed={onFixed} /></li>;
}

interface ButtonProps { label: string; title: string; wanted: QualityFixWanted; onFixed: () => void }

function FixButton({ label, title, wanted, onFixed }: ButtonProps) {
  const open = useSignal(false);
  const close = () => { open.value = false; };
  return (
    <>
      <button type="button" class="small" aria-label={`${label}: ${title}`} onClick={() => { open.value = true; }}>{label}</button>
      {open.value && (
        <PreviewedDialog<QualityFixPreview, QualityFixed> title={title} deed={{ method: 'POST', path: 'quality/fix', body: wanted }}
          button={(preview) => ({ label: t('Fix'), danger: (preview?.deleted ?? 0) > 0, off: preview?.total === 0 })}
          onClose={close}
          onDone={({ fixed }) => {
            changed(t('{n} findings mended', { n: fixed }));
            close();
            onFixed();
          }}>
          {(preview, more) => (
            <>
              {preview.left > 0 && <p>{t('Left as they are: {n}. The map does not say what was meant.', { n: preview.left })}</p>}
              <RulesThatAct rules={preview.rules} />
              <PreviewView preview={preview} more={more} />
              <UndoHint />
            </>
          )}
        </PreviewedDialog>
      )}
    </>
  );
}
