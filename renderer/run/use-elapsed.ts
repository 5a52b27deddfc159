/** The elapsed time of something that is still running. */
import { useEffect, useState } from 'preact/hooks';

/** Milliseconds, in steps of 100. */
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
