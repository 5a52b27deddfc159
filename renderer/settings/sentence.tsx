/** An English sentence of the service, with `code` formatting. */
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
