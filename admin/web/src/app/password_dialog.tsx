// Asks for the password again before something delicate is done.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { confirmation, errorText, request } from './api.ts';

export function PasswordDialog() {
  const answer = useSignal<((confirmed: boolean) => void) | null>(null);
  const password = useSignal('');
  const problem = useSignal('');
  const asked = useRef<Promise<boolean> | null>(null); // one question for all who need it
  useEffect(() => {
    confirmation.ask = () => {
      asked.current ??= new Promise((resolve) => { answer.value = resolve; });
      return asked.current;
    };
  }, []);
  if (!answer.value) return null;
  const close = (confirmed: boolean) => {
    answer.value?.(confirmed);
    answer.value = null;
    asked.current = null;
    password.value = '';
    problem.value = '';
  };
  const send = async (event: Event) => {
    event.preventDefault();
    try {
      await request('POST', 'session/confirm', { password: password.value });
      close(true);
    } catch (error) {
      if (answer.value) problem.value = errorText(error);
    }
  };
  return (
    <Dialog title={t('Confirm your password')} onClose={() => close(false)}>
      <form onSubmit={(event) => void send(event)}>
        <div class="dialog-body">
          <p>{t('This action asks for your password again. It is then remembered for five minutes.')}</p>
          <label for="confirm-password">{t('Password')}</label>
          <input id="confirm-password" type="password" autocomplete="current-password" required
            aria-invalid={Boolean(problem.value)} value={password.value}
            onInput={(event) => { password.value = event.currentTarget.value; }} />
          {problem.value && <p class="error" role="alert">{problem.value}</p>}
        </div>
        <footer>
          <button type="button" onClick={() => close(false)}>{t('Cancel')}</button>
          <button type="submit" class="primary">{t('Confirm')}</button>
        </footer>
      </form>
    </Dialog>
  );
}
