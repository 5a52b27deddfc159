/** A button that copies text to the clipboard and then shows a confirmation. */
import { Check, Copy } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { t } from '../texts/text.ts';
import { Button } from './button.tsx';
import { showToast } from './toasts.tsx';

export function CopyButton({ text, label }: { readonly text: () => string; readonly label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await copyText(text());
      setCopied(true);
      setTimeout(() => {
        setCopied(false);
      }, 1500);
    } catch (problem) {
      showToast(String(problem), 'error');
    }
  };
  return (
    <Button icon={copied ? Check : Copy} onClick={() => void copy()}>
      {copied ? t('action.copied') : (label ?? t('action.copy'))}
    </Button>
  );
}

/**
 * Copies text. Uses execCommand where the clipboard API is unavailable: over plain HTTP from another machine, and in the tray
 * window. @throws Error if the browser refuses both
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    // While a modal dialog is open, nothing outside it can be selected.
    (document.querySelector('dialog:modal') ?? document.body).append(area);
    area.select();
    // Deprecated, but there is no other function for pages without the clipboard API.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const isCopied = document.execCommand('copy');
    area.remove();
    if (!isCopied) throw new Error('The clipboard is not available. Copy the text manually.');
  }
}
