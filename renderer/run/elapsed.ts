/** The time since something began, while it goes on. */
import { useEffect, useState } from 'preact/hooks';

/** Milliseconds, in steps of a tenth of a second. */
export function useElapsed(began: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 100);
    return () => {
      clearInterval(timer);
    };
  }, [began]);
  return Math.max(0, Math.round((now - began) / 100) * 100);
}
