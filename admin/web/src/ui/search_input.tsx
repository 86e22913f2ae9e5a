// A field for words to search by; its label shows inside while it is empty.
interface Props {
  label: string;
  value: string;
  onInput: (words: string) => void;
}

export function SearchInput({ label, value, onInput }: Props) {
  return (
    <input type="search" aria-label={label} placeholder={label} value={value}
      onInput={(event) => onInput(event.currentTarget.value)} />
  );
}
