/**
 * Answers the dialogs that a page opens without showing them, and records them for the debug log. Runs before the page's
 * scripts.
 */

type DialogKind = 'alert' | 'confirm' | 'prompt';

export interface Dialog {
  readonly kind: DialogKind;
  readonly text: string;
}

/** The number of dialogs that a page has opened, and the first of them. */
export interface Dialogs {
  readonly count: number;
  /** At most five dialogs, with messages of at most 200 characters. */
  readonly first: readonly Dialog[];
}

/** The value of the global `Symbol.for('platen.dialogs')` in a page. */
interface DialogRecord {
  readonly add: (kind: DialogKind, text: string) => void;
  readonly all: () => Dialogs;
}

/**
 * Replaces `alert`, `confirm` and `prompt`. Records only the number of dialogs and a few short messages, however many
 * the page opens. Built-ins are read immediately, before the page's scripts can replace them.
 */
export function recordDialogs(): void {
  const key = Symbol.for('platen.dialogs');
  // Chromium runs this script again in a document whose DevTools session was restarted.
  if (key in globalThis) return;
  const { defineProperty } = Reflect;
  const { String: textOf } = globalThis;
  const limits = { texts: 5, characters: 200 };
  const first: Dialog[] = [];
  let count = 0;
  const ownRecord: DialogRecord = {
    add(kind, text) {
      if (count < limits.texts)
        defineProperty(first, count, { value: { kind, text: truncated(text) }, enumerable: true });
      count += 1;
    },
    all: () => ({ count, first }),
  };
  const truncated = (text: string): string => {
    let start = '';
    for (let at = 0; at < text.length && at < limits.characters; at += 1) start += text[at] ?? '';
    return start;
  };
  /** Returns the record of the parent frame if it has the same origin; otherwise the record of this document. */
  const recordOfPage = (): DialogRecord => {
    try {
      return (parent as unknown as Record<symbol, DialogRecord | undefined>)[key] ?? ownRecord;
    } catch {
      return ownRecord;
    }
  };
  const record = recordOfPage();
  const replaceDialog = (kind: DialogKind, answer: unknown) => {
    const dialog = (...parameters: unknown[]) => {
      record.add(kind, parameters.length === 0 ? '' : textOf(parameters[0]));
      return answer;
    };
    defineProperty(dialog, 'name', { value: kind });
    defineProperty(globalThis, kind, { value: dialog, writable: true, enumerable: true, configurable: true });
  };
  replaceDialog('alert', undefined);
  replaceDialog('confirm', false);
  replaceDialog('prompt', null);
  defineProperty(globalThis, key, { value: record });
}
