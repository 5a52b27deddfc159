/** What the table `callbacks` stores of a callback: its address and its body, encrypted. */
import type { Keyring } from '../../encryption/keyring.ts';
import type { CallbackRow } from './tables.ts';

type CallbackContent = Pick<CallbackRow, 'url' | 'body'>;

export function encryptCallback(
  keyring: Keyring,
  id: string,
  { url, body }: CallbackContent,
): CallbackContent {
  return {
    url: keyring.encryptText('results', url, urlContext(id)),
    body: keyring.encryptText('results', body, bodyContext(id)),
  };
}

/** @throws UnreadableValue */
export function decryptCallback(
  keyring: Keyring,
  { id, url, body }: CallbackContent & { readonly id: string },
) {
  return {
    url: keyring.decryptText('results', url, urlContext(id)),
    body: keyring.decryptText('results', body, bodyContext(id)),
  };
}

function urlContext(id: string): string {
  return `address of callback ${id}`;
}

function bodyContext(id: string): string {
  return `body of callback ${id}`;
}
