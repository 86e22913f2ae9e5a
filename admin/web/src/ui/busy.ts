// Work that a form, a dialog or a button waits for: it does nothing else meanwhile, and has the focus
// back afterwards.
import { useSignal } from '@preact/signals';

type Work = () => Promise<unknown>;

export function useBusy(): { isBusy: boolean; run: (work: Work) => Promise<void> } {
  const isBusy = useSignal(false);
  const run = async (work: Work) => {
    const { activeElement: focused } = document;
    isBusy.value = true;
    try {
      await work();
    } finally {
      isBusy.value = false;
      requestAnimationFrame(() => { if (document.activeElement === document.body) (focused as HTMLElement | null)?.focus(); });
    }
  };
  return { isBusy: isBusy.value, run };
}
