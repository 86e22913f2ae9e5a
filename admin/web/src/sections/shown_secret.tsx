// Shows the value of a token once, to be copied.
import { signal } from '@preact/signals';
import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { done } from '../ui/notices.tsx';

const shown = signal<{ name: string; value: string } | null>(null);

export function show(name: string, value: string): void {
  shown.value = { name, value };
}

export function Shown() {
  if (!shown.value) return null;
  const { name, value } = shown.value;
  const copy = () => void navigator.clipboard.writeText(value).then(() => done(t('Copied')));
  return (
    <Dialog title={t('Token of {name}', { name })} onClose={() => { shown.value = null; }}>
      <div class="dialog-body">
        <p>{t('Give it to the client over a secure connection. Each reveal is logged.')}</p>
        <p class="token"><code>{value}</code></p>
      </div>
      <footer>
        <button type="button" onClick={copy}><Icon name="copy" />{t('Copy')}</button>
        <button type="button" class="primary" onClick={() => { shown.value = null; }}>{t('Close')}</button>
      </footer>
    </Dialog>
  );
}
