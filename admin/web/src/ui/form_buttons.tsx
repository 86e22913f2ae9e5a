// Below a form: what saves it, or Close for those who may only look; and Delete, which asks first.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Role } from '../../generated/api.ts';
import { mayAs } from '../app/api.ts';
import { navigate } from '../app/router.ts';
import type { Row, Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { deletionDialog } from './deletion.ts';
import { Icon } from './icons.tsx';

interface Props {
  section: Section;
  row: Row | null; // null: a new record
  remove: Role | undefined; // who may delete it; undefined: nobody
  readOnly: boolean;
  onDeleted?: () => void;
  children?: ComponentChildren;
}

export function FormButtons({ section, row, remove, readOnly, onDeleted, children }: Props) {
  const asksDelete = useSignal(false);
  const address = `/admin/${section.key}/`;
  const Dialog = deletionDialog(section);
  const left = () => {
    onDeleted?.();
    navigate(address);
  };
  return (
    <div class="buttons">
      {readOnly ? <a class="button" href={address}>{t('Close')}</a> : children}
      {row && remove && mayAs(remove) && (
        <button type="button" class="danger end" onClick={() => { asksDelete.value = true; }}>
          <Icon name="trash" />{t('Delete')}
        </button>
      )}
      {row && asksDelete.value && <Dialog section={section} rows={[row]} onClose={() => { asksDelete.value = false; }} onDeleted={left} />}
    </div>
  );
}
