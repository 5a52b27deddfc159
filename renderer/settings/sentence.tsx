/** A sentence of the service, which is English, with `code` in it. */
interface SentenceProps {
  readonly text: string;
  readonly class?: string;
  readonly id?: string;
}

export function Sentence({ text, ...rest }: SentenceProps) {
  return (
    <p lang="en" dir="auto" {...rest}>
      {text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}
    </p>
  );
}
