export type CodePart = { text: string }
type LineRange = { part: number; from: number; to: number }

/** The lines with their numbers, beginning with 1. */
export const numbered = (text: string): string =>
  text
    .split('\n')
    .map((line, index) => `${index + 1}: ${line}`)
    .join('\n')

/** The lines of parts in their order, each once. What is out of range is ignored. */
export function linesIn(parts: CodePart[], ranges: LineRange[]): string {
  const chosen = parts.map(({ text }, index) => {
    const own = ranges.filter(({ part }) => part === index + 1)
    const isChosen = (line: number) => own.some(({ from, to }) => from <= line && line <= to)
    return text.split('\n').filter((_, at) => isChosen(at + 1))
  })
  return chosen
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}
