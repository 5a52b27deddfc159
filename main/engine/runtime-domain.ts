/** DevTools' Runtime domain of one window: several want it at times, and it is on while one of them does. */
import type { Send } from './emulation.ts';

export type RuntimeDomain = (who: 'checking' | 'frameless' | 'recording', wanted: boolean) => Promise<void>;

export function runtimeDomain(send: Send): RuntimeDomain {
  const wanting = new Set<string>();
  return async (who, wanted) => {
    const was = wanting.size > 0;
    if (wanted) wanting.add(who);
    else wanting.delete(who);
    const is = wanting.size > 0;
    if (was !== is) await send(is ? 'Runtime.enable' : 'Runtime.disable');
  };
}
