/** The elapsed time of a run. */
import { useEffect, useState } from 'preact/hooks';

/** Returns the milliseconds since `began`, in steps of 100. The component is rendered again at each step. */
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
