// A modal dialog around the browser's own, which keeps the focus inside and ends with Escape.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Icon } from './icons.tsx';

interface Props {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, wide, children }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Not after the next painting: a key that is pressed until then would reach nothing.
  useLayoutEffect(() => {
    const dialog = box.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close(); // else all outside of it would take no focus
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog ref={box} class={wide ? 'wide' : ''} aria-labelledby={heading}
      onCancel={(event) => { event.preventDefault(); onClose(); }}>
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" class="quiet" aria-label={t('Close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  action: string;
  danger?: boolean;
  wide?: boolean;
  ready?: boolean; // false: what it would do is not known yet, or it is being done
  onConfirm: () => void;
  onClose: () => void;
  children: ComponentChildren;
}

export function Confirm({ title, action, danger, wide, ready, onConfirm, onClose, children }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose} wide={wide ?? false}>
      <div class="dialog-body">{children}</div>
      <footer>
        <button type="button" onClick={onClose}>{t('Cancel')}</button>
        <button type="button" class={danger ? 'danger' : 'primary'} disabled={ready === false} onClick={onConfirm}>{action}</button>
      </footer>
    </Dialog>
  );
}
