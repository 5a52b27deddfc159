/** Lets so many pass in one turn of the event loop, and keeps the others in line for the next turns: between two of them everybody else is answered. */

export type Turnstile = (pass: () => void) => void;

export function openTurnstile(most: number): Turnstile {
  let line: (() => void)[] = [];
  let passed = 0;
  const nextTurn = () => {
    const now = line.slice(0, most);
    line = line.slice(most);
    passed = now.length;
    if (passed > 0) setImmediate(nextTurn);
    for (const pass of now) pass();
  };
  return (pass) => {
    if (passed === most) {
      line.push(pass);
      return;
    }
    if (passed === 0) setImmediate(nextTurn);
    passed += 1;
    pass();
  };
}
