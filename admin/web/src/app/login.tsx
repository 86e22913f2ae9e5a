// Signing in, and making the first administrator with the one-time code of a new node.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Session } from '../../generated/api.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { errorText, post, session } from './api.ts';
import { LanguageAndTheme } from './look.tsx';
import { localPath, navigate, place } from './router.ts';

export function Login() {
  const next = localPath(new URLSearchParams(place.value.search).get('next'));
  const isFirst = session.value?.first_account ?? false;
  useEffect(() => {
    document.title = `${t('Log in')} | ${t('GREN Administration Portal')}`;
    if (session.value?.signed_in) navigate(next, 'replace');
  }, [session.value]);
  return (
    <main id="main" class="login" tabIndex={-1}>
      <div class="card">
        <p class="brand"><Icon name="topology" />{t('GREN Administration Portal')}</p>
        <h1>{isFirst ? t('Create the first administrator') : t('Log in')}</h1>
        {session.value?.needs_https && <p class="error" role="alert">{t('Signing in needs https, except on the machine itself.')}</p>}
        {session.value?.sign_in === 'proxy'
          ? <p>{t('This node takes your identity from the web server in front of it. You are not known there.')}</p>
          : <Credentials isFirst={isFirst} />}
      </div>
      <div class="below"><a href="/">{t('View map')}</a><LanguageAndTheme /></div>
    </main>
  );
}

function Credentials({ isFirst }: { isFirst: boolean }) {
  const problem = useSignal('');
  const busy = useSignal(false);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement));
    busy.value = true;
    problem.value = '';
    try {
      session.value = await post<Session>(isFirst ? 'session/first' : 'session', values);
    } catch (error) {
      problem.value = errorText(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <form onSubmit={(event) => void send(event)}>
      {problem.value && <p class="error" role="alert">{problem.value}</p>}
      {isFirst && (
        <>
          <p class="muted">{t('The server wrote a one-time code to its terminal or log when it started.')}</p>
          <label for="code">{t('One-time code')}</label>
          <input id="code" name="code" required autocomplete="one-time-code" />
        </>
      )}
      <label for="name">{t('User name')}</label>
      <input id="name" name="name" required autocomplete="username" autocapitalize="none" />
      <label for="password">{t('Password')}</label>
      <input id="password" name="password" type="password" required
        autocomplete={isFirst ? 'new-password' : 'current-password'} />
      <button type="submit" class="primary" disabled={busy.value}>
        {isFirst ? t('Create account') : t('Log in')}
      </button>
    </form>
  );
}
