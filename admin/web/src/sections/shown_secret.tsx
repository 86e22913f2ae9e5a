// Shows a secret once, to be copied: the value of a token, or what a webhook's messages are signed with.
import { signal } from '@preact/signals';
import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { done } from '../ui/notices.tsx';

const shown = signal<{ title: string; text: string; value: string } | null>(null);

export function showToken(name: string, value: string): void {
  shown.value = {
    title: t('Token of {name}', { name }), value,
    text: t('Give it to the client over a secure connection. Each reveal is logged.'),
  };
}

export function showWebhookSecret(name: string, value: string): void {
  shown.value = {
    title: t('Secret of {name}', { name }), value,
    text: t('Give it to whoever runs the receiver over a secure connection. It is not shown again.'),
  };
}

export function Shown() {
  if (!shown.value) return null;
  const { title, text, value } = shown.value;
  const copy = () => void navigator.clipboard.writeText(value).then(() => done(t('Copied')));
  return (
    <Dialog title={title} onClose={() => { shown.value = null; }}>
      <div class="dialog-body">
        <p>{text}</p>
        <p class="token"><code>{value}</code></p>
      </div>
      <footer>
        <button type="button" onClick={copy}><Icon name="copy" />{t('Copy')}</button>
        <button type="button" class="primary" onClick={() => { shown.value = null; }}>{t('Close')}</button>
      </footer>
    </Dialog>
  );
}
