/** The connection of the desktop client to the service: its URL, the credentials, and calls over HTTP. */
import type { Session } from 'electron';
import type { ConsoleState } from '../../console/contract.ts';
import { dataFolderUrl } from '../../launch/data-folder-lock.ts';
import type { ClientTarget, ClientCredentials } from '../../launch/messages.ts';

/** `silent`: the service does not respond. `signed out`: it responds, but there are no credentials, or it refuses them. */
export type ServiceReply =
  | { readonly kind: 'silent' }
  | { readonly kind: 'signed out'; readonly why: string | undefined }
  | { readonly kind: 'state'; readonly state: ConsoleState };

const timeoutMs = 5000;

export class DesktopConnection {
  readonly #session: Session;
  readonly #target: ClientTarget;
  #credentials: ClientCredentials | undefined;
  #isRefused = false;
  /** The last known URL, without a trailing slash. */
  #url: string | undefined;

  constructor(session: Session, target: ClientTarget, credentials: ClientCredentials | undefined) {
    this.#session = session;
    this.#target = target;
    this.#credentials = credentials;
    session.webRequest.onBeforeSendHeaders(({ url, requestHeaders }, callback) => {
      const authorization = this.#isOwn(url) ? this.#authorization() : undefined;
      callback({
        requestHeaders: { ...requestHeaders, ...(authorization !== undefined && { authorization }) },
      });
    });
  }

  /** The URL of the service; undefined before it has listened. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Whether the service has refused the last credentials. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Sets what the user has entered. */
  signIn(credentials: ClientCredentials): void {
    this.#credentials = credentials;
    this.#isRefused = false;
  }

  /** Asks the service for its state. Never rejects. */
  async readState(): Promise<ServiceReply> {
    this.#url = this.#target.url ?? dataFolderUrl(this.#target.data) ?? this.#url;
    if (this.#url === undefined) return { kind: 'silent' };
    try {
      if (this.#credentials === undefined) return { kind: 'signed out', why: await this.#readUnreadiness() };
      const response = await this.#call('state', {});
      if (response.ok) return { kind: 'state', state: (await response.json()) as ConsoleState };
      if (response.status !== 401) return { kind: 'silent' };
      this.#credentials = undefined;
      this.#isRefused = true;
      return { kind: 'signed out', why: undefined };
    } catch {
      return { kind: 'silent' };
    }
  }

  async pause(isPaused: boolean): Promise<void> {
    await this.#call(isPaused ? 'pause' : 'resume', {});
  }

  /** Revokes the key that the launcher made, which has this purpose. Ignores a service that does not respond. */
  async revokeKey(purpose: string): Promise<void> {
    const name = this.#credentials?.user;
    if (name === undefined || this.#url === undefined) return;
    try {
      const response = await this.#call('keys', { name });
      const keys = (await response.json()) as readonly { id: string; name: string; revokedAt?: number }[];
      for (const { id, name: keyName, revokedAt } of keys)
        if (keyName === purpose && revokedAt === undefined) await this.#call('revokeKey', { name, id });
    } catch {
      // The next client revokes the key.
    }
  }

  /** Returns why the service takes no jobs, from the path that needs no credentials. */
  async #readUnreadiness(): Promise<string | undefined> {
    const response = await this.#session.fetch(`${this.#url ?? ''}/ready`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) return undefined;
    const { reason } = (await response.json()) as { readonly reason?: string };
    return reason ?? '';
  }

  #call(name: string, input: object): Promise<Response> {
    return this.#session.fetch(`${this.#url ?? ''}/console/call/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(timeoutMs),
    });
  }

  /** Credentials are sent only to the service. */
  #isOwn(url: string): boolean {
    return this.#url !== undefined && url.startsWith(`${this.#url}/`);
  }

  #authorization(): string | undefined {
    if (this.#credentials === undefined) return undefined;
    const { user, key } = this.#credentials;
    return `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;
  }
}
