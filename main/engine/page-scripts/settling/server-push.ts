/**
 * Determines for which messages of WebSockets and event streams a conversion waits: for the first ones, through which many pages
 * receive all of their content, and for replies to what the page sends. Part of the page script `settling`.
 */
import { named, replaceMethodOnce, watchConstructor } from './replacements.ts';

interface PushWatch {
  /** Real time in milliseconds. */
  readonly now: () => number;
  /** Returns whether the page looks unfinished. In such a page, further messages may still bring content. */
  readonly looksUnfinished: () => boolean;
  /** Returns the number of changes of the page so far; undefined while they are not watched. */
  readonly changeCount: () => number | undefined;
  /** Returns the factor for the longest waits. */
  readonly patience: () => number;
}

/** The state of a stream. Times are real times in milliseconds. */
interface StreamState {
  readonly name: string;
  /** Called for each message. */
  readonly onMessage: (message: Event) => void;
  messages: number;
  /** When the page created or opened the stream, or last sent something through it. */
  askedAt: number;
  /** The number of changes of the page at the first message since then; undefined if there was none. */
  changesAtAnswer: number | undefined;
  isAnswered: boolean;
  /** Whether an earlier message has changed the page. */
  hasShownContent: boolean;
  lastMessageAt: number;
  checkedAt: number;
  isAwaited: boolean;
  /** The total wait for messages. */
  awaitedMs: number;
}

/**
 * The longest wait for a stream to open, for its first message and for a reply: servers get a second, and messages some time to
 * arrive.
 */
export const pushTimeoutMs = 1300;
/** Messages that follow another one within this time, in milliseconds, are awaited too. */
const quietTimeMs = 300;
/**
 * The total wait for one stream in milliseconds: for answers, because a page may ask endlessly, and for the messages that follow them,
 * because a server may send them endlessly.
 */
const budgetMs = { answers: 4000, following: 2000 } as const;
/** Checks further apart than this, in milliseconds, are not part of one wait. */
const maxCheckGapMs = 50;

/** Watches the streams that a page creates. */
export class PushTracker {
  readonly #watch: PushWatch;
  /** The streams that are connecting or open. */
  readonly #streams = new Map<object, StreamState>();

  constructor(watch: PushWatch) {
    this.#watch = watch;
  }

  install(): void {
    watchConstructor('WebSocket', (socket) => {
      this.#watchSends();
      this.#watchStream(socket as WebSocket);
    });
    watchConstructor('EventSource', (source) => {
      this.#watchListeners();
      this.#watchStream(source as EventSource);
    });
  }

  get isEmpty(): boolean {
    return this.#streams.size === 0;
  }

  /** Whether the last check has found a stream whose messages are awaited. */
  get isWaiting(): boolean {
    return [...this.#streams.values()].some(({ isAwaited }) => isAwaited);
  }

  /** Returns the addresses of the streams whose messages are awaited. */
  awaited(): string[] {
    return [...this.#streams.values()].filter((state) => this.#isAwaited(state)).map(({ name }) => name);
  }

  /** Descriptions of the streams that have delivered nothing. */
  get silent(): string[] {
    return [...this.#streams.values()]
      .filter(({ messages }) => messages === 0)
      .map(
        ({ name }) =>
          `${name.startsWith('ws') ? 'a WebSocket' : 'an event stream'} without a message (${name})`,
      );
  }

  /** Waits for the first content of an event stream that a script reads with `fetch`: until it changes the page. */
  watchResponse(response: Response): void {
    const state = this.#newState(response.url);
    state.messages = 1;
    state.changesAtAnswer = this.#watch.changeCount();
    this.#streams.set(state, state);
  }

  #watchStream(stream: WebSocket | EventSource): void {
    const state = this.#newState(stream.url);
    const { now } = this.#watch;
    this.#streams.set(stream, state);
    stream.addEventListener('message', state.onMessage);
    stream.addEventListener('open', () => {
      // An event stream opens again after its connection broke.
      this.#streams.set(stream, state);
      if (state.messages === 0) state.askedAt = now();
    });
    for (const event of ['error', 'close'])
      stream.addEventListener(event, () => {
        this.#streams.delete(stream);
      });
  }

  #newState(name: string): StreamState {
    const { now, changeCount } = this.#watch;
    const state: StreamState = {
      name,
      onMessage(message) {
        state.messages += 1;
        state.lastMessageAt = now();
        if (!isHandshake((message as MessageEvent<unknown>).data)) state.changesAtAnswer ??= changeCount();
      },
      messages: 0,
      askedAt: now(),
      changesAtAnswer: undefined,
      isAnswered: false,
      hasShownContent: false,
      lastMessageAt: now(),
      checkedAt: now(),
      isAwaited: false,
      awaitedMs: 0,
    };
    return state;
  }

  #isAwaited(state: StreamState): boolean {
    const now = this.#watch.now();
    if (state.isAwaited) state.awaitedMs += Math.min(now - state.checkedAt, maxCheckGapMs);
    state.checkedAt = now;
    this.#judgeAnswer(state);
    const budget = state.isAnswered ? budgetMs.following : budgetMs.answers;
    state.isAwaited = state.awaitedMs <= budget * this.#watch.patience() && this.#expectsMessage(state, now);
    return state.isAwaited;
  }

  #expectsMessage(state: StreamState, now: number): boolean {
    const { isAnswered, askedAt, lastMessageAt } = state;
    const timeoutMs = pushTimeoutMs * this.#watch.patience();
    if (isAnswered ? now - lastMessageAt < quietTimeMs : now - askedAt < timeoutMs) return true;
    return now - Math.max(askedAt, lastMessageAt) < timeoutMs && this.#watch.looksUnfinished();
  }

  /** A message that changes nothing, such as one of a protocol, is no answer until the stream has delivered content. */
  #judgeAnswer(state: StreamState): void {
    if (state.isAnswered || state.changesAtAnswer === undefined) return;
    state.isAnswered = state.hasShownContent || this.#watch.changeCount() !== state.changesAtAnswer;
    state.hasShownContent = state.isAnswered;
  }

  /** Watches what WebSockets send. Call it when a script has created one: creating their class takes time in every document. */
  #watchSends(): void {
    const { now } = this.#watch;
    const streams = this.#streams;
    replaceMethodOnce(WebSocket.prototype, 'send', (native) => {
      return function (this: unknown, ...parameters: unknown[]) {
        Reflect.apply(native, this, parameters);
        const state = streams.get(this as WebSocket);
        if (state !== undefined)
          Object.assign(state, { askedAt: now(), isAnswered: false, changesAtAnswer: undefined });
      };
    });
  }

  /** Watches the names of the events to which scripts listen: only events without a name are `message` events. */
  #watchListeners(): void {
    if (Object.hasOwn(EventSource.prototype, 'addEventListener')) return;
    const streams = this.#streams;
    // Calls the method of the prototype, because libraries such as zone.js replace it there.
    const listen = function (this: EventSource, type: unknown, ...parameters: unknown[]) {
      const { addEventListener } = EventTarget.prototype;
      const state = streams.get(this);
      const isMessage = !['open', 'error', 'message'].includes(String(type));
      if (state !== undefined && isMessage) addEventListener.call(this, String(type), state.onMessage);
      Reflect.apply(addEventListener, this, [type, ...parameters]);
    };
    Object.defineProperty(EventSource.prototype, 'addEventListener', {
      value: named('addEventListener', listen as never),
      writable: true,
      configurable: true,
    });
  }
}

/**
 * Matches messages that only establish or keep a connection. Pages show "online" after them, and their content follows: Engine.IO and
 * Socket.IO (`0{`, `40`, `2`), SockJS (`o`, `h`), STOMP, SignalR, and the words of GraphQL, Action Cable, Phoenix, Pusher and others.
 */
const handshakes =
  /^(?:0\{|40|\d(?:probe)?$|[oh]$|CONNECTED\b|\{\}\x1E$|\{"type":6\})|"(?:hello|welcome|ready|open|connected|connection_?(?:ack|init|established)|pusher:connection_established|pusher_internal:subscription_succeeded|confirm_subscription|subscribed|phx_reply|ka|ping|pong|heartbeat)"/i;
const maxHandshakeLength = 500;

function isHandshake(data: unknown): boolean {
  return typeof data === 'string' && data.length <= maxHandshakeLength && handshakes.test(data);
}
