// The head of a page: its title, which is also that of the window, and what can be done with it.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { language, t } from '../i18n/index.ts';
import { Icon, type IconName } from './icons.tsx';

interface Props {
  title: string;
  longTitle?: string;
  icon?: IconName;
  children?: ComponentChildren;
}

export function Heading({ title, longTitle, icon, children }: Props) {
  const code = language();
  useEffect(() => {
    document.title = `${title} | ${t('GREN Administration Portal')}`;
  }, [title, code]);
  return (
    <div class="heading">
      <h1>{icon && <Icon name={icon} />}{title}</h1>
      {longTitle && <p class="long-title">{longTitle}</p>}
      <div class="actions">{children}</div>
    </div>
  );
}
